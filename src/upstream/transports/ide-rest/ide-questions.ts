import { TransientMap } from '../../../core/collections/transient-map.ts';
import type { HttpEndpoint } from '../http/endpoint.ts';
import type { FrameLimit } from '../transport.ts';
import { askIde, type IdeAnswer, type OpenQuestion } from './ask-ide.ts';

export interface IdeQuestionsOptions {
  readonly endpoint: HttpEndpoint;
  /** The url under which the plug-in has its paths. */
  readonly url: string;
  readonly limits: FrameLimit;
}

/** The questions to a plug-in that are not answered yet. */
export class IdeQuestions {
  readonly #options: IdeQuestionsOptions;
  /** The questions asked for a request, by its id. */
  readonly #ofRequests = new TransientMap<number, OpenQuestion>();
  /** The gateway's own questions. */
  readonly #own = new Set<OpenQuestion>();

  constructor(options: IdeQuestionsOptions) {
    this.#options = options;
  }

  /** Bytes of requests that are not written yet. */
  get unsentBytes(): number {
    let bytes = 0;
    for (const question of this.#ofRequests.values()) bytes += question.unsentBytes;
    return bytes;
  }

  /** Asks for a request; `done` gets the answer, unless the question is aborted. */
  ask(id: number, path: string, body: Buffer | undefined, done: (answer: IdeAnswer) => void): void {
    const open = this.#open(path, body, (answer) => {
      this.#ofRequests.take(id);
      done(answer);
    });
    this.#ofRequests.set(id, open);
  }

  /** Asks for the gateway itself. Resolves with `undefined` when no answer comes within `ms`. */
  askOwn(path: string, ms: number): Promise<IdeAnswer | undefined> {
    return new Promise((resolve) => {
      const settle = (answer: IdeAnswer | undefined) => {
        this.#own.delete(open);
        clearTimeout(timer);
        resolve(answer);
      };
      const open = this.#open(path, undefined, settle);
      const timer = setTimeout(() => {
        open.abort();
        settle(undefined);
      }, ms).unref();
      this.#own.add(open);
    });
  }

  /** Gives up the question of a request, if it is open. */
  abort(id: number): void {
    this.#ofRequests.take(id)?.abort();
  }

  /** Gives up all questions. */
  abortAll(): void {
    for (const question of [...this.#ofRequests.values(), ...this.#own]) question.abort();
    this.#ofRequests.clear();
    this.#own.clear();
  }

  #open(path: string, body: Buffer | undefined, done: (answer: IdeAnswer) => void): OpenQuestion {
    const { endpoint, url, limits } = this.#options;
    const question = { url: `${url}/${path}`, maxBytes: limits.maxFrameBytes, ...(body !== undefined && { body }) };
    return askIde(endpoint, question, done);
  }
}
