import type { ClientFacts } from '../../core/providers/provider.ts';
import { type ListenFilter, readFilter } from '../../era/modern/subscription.ts';
import { declaresTasks, UNDECLARED } from '../../era/tasks.ts';
import type { RequestMessage } from '../../wire/message.ts';
import { type ErrorBody, errorReply } from '../../wire/reply.ts';
import type { Exchange } from '../exchange.ts';
import type { OpenRequest } from '../open-requests.ts';
import type { SessionHost } from '../session-host.ts';
import { Listener } from './listener.ts';

/** A stream that is refused, and why. `status` is that of HTTP. */
interface Refusal {
  readonly error: ErrorBody;
  readonly status?: number;
}

/** The streams of changes that one modern client has open. */
export class ChangeStreams {
  readonly #host: SessionHost;
  readonly #most: number;
  readonly #open = new Set<Listener>();

  /** @param most the number of streams that may be open at one time */
  constructor(host: SessionHost, most: number) {
    this.#host = host;
    this.#most = most;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Begins a stream for a `subscriptions/listen`, or answers why it is refused; then it returns `undefined`. */
  listen(message: RequestMessage, client: ClientFacts, exchange: Exchange): OpenRequest | undefined {
    const filter = this.#admitted(message, client);
    if ('error' in filter) {
      exchange.reply(errorReply(filter.error).withId(message.id), filter.status);
      return undefined;
    }
    const { clientId, principal, folderRule } = client;
    const onEnded = () => this.#open.delete(listener);
    const facts = { clientId, principal, folderRule };
    const listener = new Listener(this.#host, { client: facts, message, filter, exchange, onEnded });
    this.#open.add(listener);
    listener.open();
    return { cancel: () => listener.close() };
  }

  /** Ends all streams as the specification wants it: the gateway ends them. */
  finishAll(): void {
    for (const listener of this.#open) listener.finish();
  }

  /** Closes all streams: the client has gone. */
  closeAll(): void {
    for (const listener of this.#open) listener.close();
  }

  #admitted(message: RequestMessage, { capabilities }: ClientFacts): ListenFilter | Refusal {
    const filter = readFilter(message);
    if (typeof filter === 'string')
      return { error: { code: -32602, message: `Invalid params for ${message.method}: ${filter}` } };
    if (filter.taskIds !== undefined && !declaresTasks(capabilities)) return { error: UNDECLARED, status: 400 };
    if (this.#open.size < this.#most) return filter;
    const text = `There may be ${this.#most} streams of changes at one time`;
    return { error: { code: -32603, message: text }, status: 503 };
  }
}
