import type { EmbeddingsOptions } from '../../core/settings/embeddings-options.ts';
import type { Environment } from '../../core/settings/environment.ts';
import { type Clock, SYSTEM_CLOCK } from '../../services/clock.ts';
import { ollamaUrl, problemOfUrl } from '../../services/endpoints.ts';
import { PAUSES_MS } from '../../services/with-retries.ts';
import type { ServiceSettings } from './dialect.ts';
import type { Embedder } from './embedder.ts';
import { EmbeddingError } from './embedding-error.ts';
import { OLLAMA } from './ollama.ts';
import { OPENAI } from './openai.ts';
import { ServiceEmbedder } from './service-embedder.ts';

/** The time limits for a service: a user waits for the answer to a `question`; a `run` has time. */
export type Patience = 'question' | 'run';

const PATIENCE: Readonly<Record<Patience, { readonly timeoutMs: number; readonly pausesMs: readonly number[] }>> = {
  question: { timeoutMs: 10_000, pausesMs: [] },
  run: { timeoutMs: 60_000, pausesMs: PAUSES_MS },
};

export interface EmbedderOptions {
  /** The section `embeddings` of a workflow. */
  readonly options: EmbeddingsOptions;
  /** Names Ollama where the section does not (`OLLAMA_BASE_URL`, `OLLAMA_EMBEDDING_MODEL`). */
  readonly env: Environment;
  readonly patience: Patience;
  readonly clock?: Clock;
}

/** Returns the client of a service. It connects when it is used. */
export function createEmbedder({ options, env, patience, clock = SYSTEM_CLOCK }: EmbedderOptions): Embedder {
  const { timeoutMs, pausesMs } = PATIENCE[patience];
  const dialect = options.kind === 'ollama' ? OLLAMA : OPENAI;
  const settings = settingsOf(options, env);
  const problem = problemOfUrl(settings.url);
  if (problem !== undefined) return new NoEmbedder(settings.model, problem);
  return new ServiceEmbedder({
    settings,
    dialect,
    retries: { pausesMs, clock },
    timeoutMs,
  });
}

/** Returns the section with its defaults; the schema sees to it that `openai` has an address and a model. */
function settingsOf(options: EmbeddingsOptions, env: Environment): ServiceSettings {
  const { url, model } = options;
  return {
    ...options,
    url: ollamaUrl(url, env),
    model: model ?? (env.OLLAMA_EMBEDDING_MODEL || 'nomic-embed-text'),
  };
}

/** Stands for a service whose address cannot be used. */
class NoEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions = undefined;
  readonly #why: string;

  constructor(model: string, why: string) {
    this.model = model;
    this.#why = why;
  }

  async embed(): Promise<never> {
    throw new EmbeddingError('unreachable', this.#why);
  }
}
