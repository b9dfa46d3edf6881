import { EventEmitter } from 'node:events';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.d.ts';
import { unlessAborted } from '../../core/unless-aborted.ts';
import { CdpError } from './cdp-error.ts';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;
type Answer<M extends keyof Commands> = Commands[M]['returnType'];
type Params<M extends keyof Commands> = Commands[M]['paramsType'][0];

/** Sends a command for a session and resolves with the browser's result. */
export type SendCommand = (method: string, params: unknown, sessionId: string | undefined) => Promise<unknown>;

/**
 * The commands and events of one target: a page, a frame of another site, a worker, or the browser itself.
 * Commands and events are those of https://chromedevtools.github.io/devtools-protocol/tot/.
 */
export class CdpSession {
  /** `undefined` for the session that the connection itself is. */
  readonly id: string | undefined;
  readonly #send: SendCommand;
  readonly #events = new EventEmitter().setMaxListeners(0);
  readonly #ending = new AbortController();

  constructor(id: string | undefined, send: SendCommand) {
    this.id = id;
    this.#send = send;
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

  /** Calls the listener for each event of a kind, in their order. Returns a function that stops it. */
  on<E extends keyof Events>(event: E, listener: (params: Events[E][0]) => void): () => void {
    this.#events.on(event, listener);
    return () => this.#events.off(event, listener);
  }

  /** Hands on an event of the browser. */
  emit(event: string, params: unknown): void {
    this.#events.emit(event, params);
  }

  /** Ends the session: nothing more comes. */
  end(reason: string): void {
    if (!this.ended.aborted) this.#ending.abort(new CdpError('', reason, true));
  }
}
