import { TransientMap } from '../../../../core/collections/transient-map.ts';
import { copyOf, type Line } from '../lines/line.ts';

/** A request of the client that is not answered. */
export interface ClientRequest {
  readonly id: string;
  readonly method: string;
  /** The request itself, if another gateway may get it too: nothing happens twice by that. */
  readonly text: Buffer | undefined;
}

/** Methods whose requests make the session. */
export const SESSION_METHODS: ReadonlySet<string> = new Set([
  'initialize',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
]);
export const LISTEN_METHOD = 'subscriptions/listen';

/** Methods whose requests can be sent again. */
const REPEATABLE = new Set([
  ...SESSION_METHODS,
  LISTEN_METHOD,
  'ping',
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
]);

/** The most open requests of a client whose gateway can be replaced. */
const MAX_OPEN = 10_000;
/** The most bytes of requests that are kept to be sent again. */
const MAX_KEPT = 4 * 1024 * 1024;

/** The client's requests that are not answered. */
export class ClientRequests {
  readonly #open = new TransientMap<string, ClientRequest>();
  #keptBytes = 0;
  #problem: string | undefined;

  /** The reason why these are not all of them, if so. */
  get problem(): string | undefined {
    return this.#problem;
  }

  add(id: string, method: string, line: Line): void {
    if (this.#open.size >= MAX_OPEN) this.#problem ??= `more than ${MAX_OPEN} requests were open`;
    if (this.#problem !== undefined) return;
    const text = REPEATABLE.has(method) ? copyOf(line) : undefined;
    this.#keptBytes += text?.length ?? 0;
    if (this.#keptBytes > MAX_KEPT) this.#problem = `more than ${MAX_KEPT} bytes of requests were to be kept`;
    this.#open.set(id, { id, method, text });
  }

  /** Returns a request that is answered or cancelled with this, if there is one. */
  take(id: string): ClientRequest | undefined {
    const request = this.#open.take(id);
    if (request === undefined) return undefined;
    this.#keptBytes -= request.text?.length ?? 0;
    return request;
  }

  get(id: string): ClientRequest | undefined {
    return this.#open.get(id);
  }

  /** Returns the requests that can be sent again, in the order in which they came. */
  repeatable(): readonly ClientRequest[] {
    return [...this.#open.values()].filter(({ text }) => text !== undefined);
  }

  /** Removes and returns those that cannot, or all. */
  fail(which: 'unrepeatable' | 'all'): readonly ClientRequest[] {
    const failed = [...this.#open.values()].filter(({ text }) => which === 'all' || text === undefined);
    for (const { id } of failed) this.take(id);
    return failed;
  }
}
