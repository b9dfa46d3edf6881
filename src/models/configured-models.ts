import type {
  BackendState,
  ClientSampling,
  GenerateOptions,
  Generation,
  ModelBackends,
  ModelRequest,
} from '../core/settings/model-backends.ts';
import { CLIENT_BACKEND, type ModelsOptions } from '../core/settings/models-options.ts';
import { generateByClient, problemOfClient } from './client-backend.ts';
import { modelFailed } from './failures.ts';

/** A backend of the config. */
export interface Backend {
  /** See `ModelBackends.generate`. */
  generate(request: ModelRequest, options: GenerateOptions): Promise<Generation>;
  /** Returns what is wrong with it and what to do; `undefined` if nothing is. */
  check(): Promise<string | undefined>;
}

/** The backends of one config, and the calling client's own model. */
export class ConfiguredModels implements ModelBackends {
  readonly defaultName: string | undefined;
  readonly #backends: ReadonlyMap<string, Backend>;

  constructor(options: ModelsOptions, backends: ReadonlyMap<string, Backend>) {
    this.defaultName = options.default ?? [...backends.keys()][0];
    this.#backends = backends;
  }

  async generate(name: string | undefined, request: ModelRequest, options: GenerateOptions): Promise<Generation> {
    const wanted = name ?? this.defaultName ?? (options.client?.canSample === true ? CLIENT_BACKEND : undefined);
    if (wanted === undefined) throw modelFailed(NONE);
    if (wanted === CLIENT_BACKEND) return generateByClient(request, options);
    const backend = this.#backends.get(wanted);
    if (backend === undefined) throw this.#unknown(wanted);
    return backend.generate(request, options);
  }

  async states(client: ClientSampling | undefined): Promise<readonly BackendState[]> {
    const configured = [...this.#backends].map(async ([name, backend]) => stateOf(name, await backend.check()));
    return [...(await Promise.all(configured)), stateOf(CLIENT_BACKEND, problemOfClient(client))];
  }

  #unknown(name: string) {
    const names = [...this.#backends.keys(), CLIENT_BACKEND];
    return modelFailed(`no backend is called "${name}": there are ${names.join(', ')}`);
  }
}

const NONE =
  'no backend is configured: add one under models.backends in the config, or call with a client that supports sampling';

function stateOf(name: string, reason: string | undefined): BackendState {
  return reason === undefined ? { name, available: true } : { name, available: false, reason };
}
