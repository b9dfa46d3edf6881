import type { Environment } from '../core/settings/environment.ts';
import type { ModelBackends } from '../core/settings/model-backends.ts';
import type { BackendOptions, ModelsOptions } from '../core/settings/models-options.ts';
import { type Clock, SYSTEM_CLOCK } from '../services/clock.ts';
import { ollamaUrl, problemOfUrl } from '../services/endpoints.ts';
import { type Backend, ConfiguredModels } from './configured-models.ts';
import { ANTHROPIC } from './dialects/anthropic.ts';
import type { BackendSettings, ChatDialect } from './dialects/dialect.ts';
import { OLLAMA } from './dialects/ollama.ts';
import { OPENAI } from './dialects/openai.ts';
import { modelFailed } from './failures.ts';
import { ServiceBackend } from './service-backend.ts';

const DIALECTS: Readonly<Record<BackendOptions['kind'], ChatDialect>> = {
  ollama: OLLAMA,
  openai: OPENAI,
  anthropic: ANTHROPIC,
};

const ANTHROPIC_URL = 'https://api.anthropic.com/v1';

/** Makes backends of configs. One that does not change from config to config keeps its queue. */
export class ModelPool {
  readonly #env: Environment;
  readonly #clock: Clock;
  #backends: ReadonlyMap<string, Backend> = new Map();

  /** @param env names Ollama where the config does not (`OLLAMA_BASE_URL`) */
  constructor(env: Environment, clock: Clock = SYSTEM_CLOCK) {
    this.#env = env;
    this.#clock = clock;
  }

  /** Returns the backends of a config; they connect when they are used. */
  open(options: ModelsOptions): ModelBackends {
    const before = this.#backends;
    const after = new Map<string, Backend>();
    const byName = new Map<string, Backend>();
    for (const [name, backend] of Object.entries(options.backends)) {
      const identity = JSON.stringify([name, backend]);
      const kept = before.get(identity) ?? this.#create(name, backend);
      after.set(identity, kept);
      byName.set(name, kept);
    }
    this.#backends = after;
    return new ConfiguredModels(options, byName);
  }

  #create(name: string, options: BackendOptions): Backend {
    const settings: BackendSettings = { ...options, name, url: urlOf(options, this.#env) };
    const problem = problemOfUrl(settings.url);
    if (problem !== undefined) return new NoBackend(problem);
    return new ServiceBackend({ settings, dialect: DIALECTS[options.kind], clock: this.#clock });
  }
}

function urlOf({ kind, url }: BackendOptions, env: Environment): string {
  return kind === 'anthropic' ? (url ?? ANTHROPIC_URL) : ollamaUrl(url, env);
}

/** Stands for a backend whose address cannot be used. */
class NoBackend implements Backend {
  readonly #problem: string;

  constructor(problem: string) {
    this.#problem = problem;
  }

  async generate(): Promise<never> {
    throw modelFailed(this.#problem);
  }

  check(): Promise<string> {
    return Promise.resolve(this.#problem);
  }
}
