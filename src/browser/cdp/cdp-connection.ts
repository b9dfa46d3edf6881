import { asObject, isObject } from '../../core/as-object.ts';
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
  readonly error?: { readonly message?: unknown };
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
    this.root = new CdpSession(undefined, this.#send);
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
    if (message === undefined) {
      this.#wire.close();
      this.#end('the browser sent something that is no message of the DevTools protocol');
    } else if (message.method !== undefined) this.#onEvent(message.method, message);
    else if (message.id !== undefined) this.#onAnswer(message.id, message);
  }

  #onAnswer(id: number, { result, error }: Incoming): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(result ?? {});
    else pending?.reject(new CdpError(pending.method, String(error.message)));
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
    if (id !== undefined && !this.#sessions.has(id)) this.#sessions.set(id, new CdpSession(id, this.#send));
  }

  #detach(id: string | undefined): void {
    if (id === undefined) return;
    this.#sessions.get(id)?.end('the page has gone');
    this.#sessions.delete(id);
    this.#rejectPending('the page has gone', (pending) => pending.sessionId === id);
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

function idIn(params: unknown): string | undefined {
  const id = asObject(params).sessionId;
  return typeof id === 'string' ? id : undefined;
}
