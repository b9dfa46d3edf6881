import { asObject, isObject } from '../../core/json/as-object.ts';
import { CdpError } from './cdp-error.ts';
import { CdpSession } from './cdp-session.ts';
import type { CdpWire } from './wire.ts';

interface Pending {
  readonly method: string;
  readonly sessionId: string | undefined;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface Incoming {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly sessionId?: string;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** One connection to a browser, with a session for each target that it is attached to ("flat" sessions). */
export class CdpConnection {
  /** The target that the connection was made to: the browser, or one page. */
  readonly root: CdpSession;
  readonly #wire: CdpWire;
  readonly #pending = new Map<number, Pending>();
  readonly #sessions = new Map<string, CdpSession>();
  #lastId = 0;

  constructor(wire: CdpWire) {
    this.#wire = wire;
    this.root = new CdpSession(undefined, this.#send, this.#onFault);
    wire.open({
      onText: (text) => this.#onText(text),
      onTooLarge: (beginning) => this.#onTooLarge(beginning),
      onEnd: (reason) => this.#end(reason),
    });
  }

  /** Aborted when the connection has ended; its reason is a `CdpError`. */
  get ended(): AbortSignal {
    return this.root.ended;
  }

  /** Returns the session that `Target.attachToTarget` or `Target.attachedToTarget` has named. @throws CdpError if it has ended */
  session(id: string): CdpSession {
    const session = this.#sessions.get(id);
    if (session === undefined) throw new CdpError('', 'the page has gone', true);
    return session;
  }

  /** Ends the connection. Harmless when called twice. */
  close(): void {
    this.#wire.close();
    this.#end('the connection was closed');
  }

  readonly #send = (method: string, params: unknown, sessionId: string | undefined): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#pending.set(id, { method, sessionId, resolve, reject });
      this.#wire.send(
        JSON.stringify(sessionId === undefined ? { id, method, params } : { id, method, params, sessionId }),
      );
    });

  #onText(text: string): void {
    const message = parsed(text);
    if (message === undefined)
      this.#giveUp('the browser sent something that is not a message of the DevTools protocol');
    else if (message.method !== undefined) this.#onEvent(message.method, message);
    else if (message.id !== undefined) this.#onAnswer(message.id, message);
  }

  #onAnswer(id: number, { result, error }: Incoming): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(result ?? {});
    else pending?.reject(new CdpError(pending.method, messageIn(error)));
  }

  /** An event is left out; a command fails. */
  #onTooLarge(beginning: string): void {
    const [, id] = /^\{"id":(\d{1,15})[,}]/.exec(beginning) ?? [];
    if (id !== undefined) this.#onAnswer(Number(id), { error: { message: 'the answer is too large' } });
  }

  #onEvent(method: string, { params, sessionId }: Incoming): void {
    if (method === 'Target.attachedToTarget') this.#attach(idIn(params));
    (sessionId === undefined ? this.root : this.#sessions.get(sessionId))?.emit(method, params);
    if (method === 'Target.detachedFromTarget') this.#detach(idIn(params));
  }

  #attach(id: string | undefined): void {
    if (id !== undefined && !this.#sessions.has(id))
      this.#sessions.set(id, new CdpSession(id, this.#send, this.#onFault));
  }

  #detach(id: string | undefined, reason = 'the page has gone'): void {
    if (id === undefined) return;
    this.#sessions.get(id)?.end(reason);
    this.#sessions.delete(id);
    this.#rejectPending(reason, (pending) => pending.sessionId === id);
  }

  /** Gives up the target alone: others may have pages in the same browser. */
  readonly #onFault = ({ id }: CdpSession, error: unknown): void => {
    if (error instanceof CdpError && error.isGone) return; // it has gone meanwhile
    const reason = `the browser sent an event that cannot be used (${(error as Error).message})`;
    if (id === undefined) this.#giveUp(reason);
    else this.#detach(id, reason);
  };

  #giveUp(reason: string): void {
    this.#wire.close();
    this.#end(reason);
  }

  #end(reason: string): void {
    if (this.ended.aborted) return;
    for (const session of [...this.#sessions.values(), this.root]) session.end(reason);
    this.#sessions.clear();
    this.#rejectPending(reason, () => true);
  }

  #rejectPending(reason: string, isMeant: (pending: Pending) => boolean): void {
    for (const [id, pending] of this.#pending) {
      if (!isMeant(pending)) continue;
      this.#pending.delete(id);
      pending.reject(new CdpError(pending.method, reason, true));
    }
  }
}

function parsed(text: string): Incoming | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return isObject(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

function messageIn(error: unknown): string {
  const { message } = asObject(error);
  return typeof message === 'string' ? message : 'it gave no reason';
}

function idIn(params: unknown): string | undefined {
  const id = asObject(params).sessionId;
  return typeof id === 'string' ? id : undefined;
}
