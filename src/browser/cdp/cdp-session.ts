import { EventEmitter } from 'node:events';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';
import { unlessAborted } from '../../core/timing/unless-aborted.ts';
import { CdpError } from './cdp-error.ts';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
type Answer<M extends keyof Commands> = Commands[M]['returnType'];
type Params<M extends keyof Commands> = Commands[M]['paramsType'][0];

/** Sends a command for a session and resolves with the browser's result. */
export type SendCommand = (method: string, params: unknown, sessionId: string | undefined) => Promise<unknown>;

/** Hears about a listener that has failed. */
export type OnFault = (session: CdpSession, error: unknown) => void;

/**
 * The commands and events of one target: a page, a frame of another site, a worker, or the browser itself.
 * Commands and events are those of https://chromedevtools.github.io/devtools-protocol/tot/.
 */
export class CdpSession {
  /** `undefined` for the session that the connection itself is. */
  readonly id: string | undefined;
  readonly #send: SendCommand;
  readonly #onFault: OnFault;
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #ending = new AbortController();

  constructor(id: string | undefined, send: SendCommand, onFault: OnFault) {
    this.id = id;
    this.#send = send;
    this.#onFault = onFault;
  }

  /** Aborted when the target has gone; its reason is a `CdpError`. */
  get ended(): AbortSignal {
    return this.#ending.signal;
  }

  /**
   * Sends a command.
   * @param signal stops the waiting; the browser still executes the command
   * @throws CdpError if the browser refuses or the target has gone; the reason of `signal`
   */
  async send<M extends keyof Commands>(method: M, params?: Params<M>, signal?: AbortSignal): Promise<Answer<M>> {
    if (this.ended.aborted) throw new CdpError(method, (this.ended.reason as Error).message, true);
    const answer = this.#send(method, params ?? {}, this.id) as Promise<Answer<M>>;
    return signal === undefined ? answer : unlessAborted(answer, signal);
  }

  /**
   * Calls the listener for each event of a kind, in their order. A promise that it returns may reject: that is a fault of the
   * session, as an error that it throws is. Returns a function that stops it.
   */
  on<E extends keyof Events>(event: E, listener: (params: Events[E][0]) => unknown): () => void {
    const heard = (params: Events[E][0]) => void this.#hear(() => listener(params));
    this.#events.on(event, heard);
    return () => this.#events.off(event, heard);
  }

  /** Hands on an event of the browser. */
  emit(event: string, params: unknown): void {
    // Without a listener, "error" would be thrown.
    if (this.#events.listenerCount(event) > 0) this.#events.emit(event, params);
  }

  /** Ends the session: nothing more comes. */
  end(reason: string): void {
    if (!this.ended.aborted) this.#ending.abort(new CdpError('', reason, true));
  }

  /** An event need not be what a browser sends: an unhandled error event would end the gateway. */
  async #hear(listen: () => unknown): Promise<void> {
    try {
      await listen();
    } catch (error) {
      this.#onFault(this, error);
    }
  }
}
