import type { ModelBackends } from '../../core/settings/model-backends.ts';
import type { ModelsOptions } from '../../core/settings/models-options.ts';
import type { ModelPool } from '../../models/open-models.ts';

/** Gives workflows the language models of a config. Their code is loaded when the first workflow asks. */
export class ModelLoader {
  readonly #env: Readonly<Record<string, string | undefined>>;
  #pool: Promise<ModelPool> | undefined;

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.#env = env;
  }

  /** Returns a function that opens the models of a config at its first call, and gives the same ones from then on. */
  opener(options: ModelsOptions): () => Promise<ModelBackends> {
    let opened: Promise<ModelBackends> | undefined;
    return () => {
      opened ??= this.#open(options);
      return opened;
    };
  }

  async #open(options: ModelsOptions): Promise<ModelBackends> {
    this.#pool ??= import('../../models/open-models.ts').then((code) => new code.ModelPool(this.#env));
    return (await this.#pool).open(options);
  }
}
