import { GatewayError } from '../../../core/errors.ts';
import { type Clock, SYSTEM_CLOCK } from '../../../services/clock.ts';
import { Asks } from './asks.ts';
import type { Bridge } from './bridge.ts';
import type { Connection } from './connection.ts';
import { Forwarder, type ForwarderOptions } from './forwarder.ts';
import { type IncomingMessage, messageText, type OutgoingMessage, readMessage } from './messages.ts';

const PING_MS = 30_000;

export interface BridgeOptions extends ForwarderOptions {
  /** `ws://` or `wss://`. */
  readonly url: string;
  readonly token?: string | undefined;
  /** In milliseconds, as the other two. */
  readonly reconnectMs: number;
  readonly maxReconnectMs: number;
  readonly answerMs: number;
  readonly clock?: Clock | undefined;
  readonly pingMs?: number | undefined;
}

/** Stays connected to an IDE backend as well as it can, and forwards what the backend sends to the live feed. */
export class IdeBridge implements Bridge {
  readonly #options: BridgeOptions;
  readonly #clock: Clock;
  readonly #asks = new Asks();
  readonly #forwarder: Forwarder;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #connection: Connection | undefined;
  #isOnline = false;
  /** True once the backend has sent a message over this connection. */
  #wasHeard = false;
  /** Attempts that ended without a message, since the last one that brought one. */
  #attempts = 0;
  #malformed = 0;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
    this.#forwarder = new Forwarder(options);
  }

  get isOnline(): boolean {
    return this.#isOnline;
  }

  /** Number of messages that were malformed so far. */
  get malformed(): number {
    return this.#malformed;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#forwarder.stop();
    this.#connection?.end();
    this.#asks.giveUpAll();
    await this.#running;
  }

  async ask(
    message: OutgoingMessage,
    matches: (message: IncomingMessage) => boolean,
    signal: AbortSignal,
  ): Promise<IncomingMessage | undefined> {
    signal.throwIfAborted();
    this.#asks.requireRoom();
    // A connection that is about to end takes nothing more.
    if (!this.#isOnline || this.#connection?.isOpen !== true) throw offline();
    const { answer, giveUp } = this.#asks.add(matches);
    if (!this.#connection.send(messageText(message))) {
      giveUp();
      throw overloaded();
    }
    return this.#awaited(answer, giveUp, signal);
  }

  /** Waits until the answer has come, the time is over, or the caller has gone. */
  async #awaited(
    answer: Promise<IncomingMessage | undefined>,
    giveUp: () => void,
    signal: AbortSignal,
  ): Promise<IncomingMessage | undefined> {
    const done = new AbortController();
    const either = AbortSignal.any([signal, done.signal]);
    this.#clock.wait(this.#options.answerMs, either).then(giveUp, giveUp);
    try {
      const found = await answer;
      signal.throwIfAborted();
      return found;
    } finally {
      done.abort();
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      while (!signal.aborted) {
        await this.#connectOnce();
        signal.throwIfAborted();
        await this.#clock.wait(this.#nextPause(), signal);
      }
    } catch (error) {
      if (!signal.aborted) this.#options.log.error({ error }, 'the connection to the IDE backend is given up');
    }
  }

  /** Doubles from attempt to attempt. A backend that accepts and says nothing counts as one that is not there. */
  #nextPause(): number {
    const { reconnectMs, maxReconnectMs } = this.#options;
    this.#attempts = this.#wasHeard ? 1 : this.#attempts + 1;
    return Math.min(maxReconnectMs, reconnectMs * 2 ** Math.min(30, this.#attempts - 1));
  }

  /** Resolves when the connection has ended, or could not be made. */
  async #connectOnce(): Promise<void> {
    // The package is only needed by those who have a backend.
    const { Connection } = await import('./connection.ts');
    if (this.#stopping.signal.aborted) return;
    const { url, token, pingMs = PING_MS } = this.#options;
    this.#wasHeard = false;
    const reason = await new Promise<string>((onEnd) => {
      const events = { onOpen: () => this.#onOpen(), onText: (text: string | undefined) => this.#onText(text), onEnd };
      this.#connection = new Connection({ url, token, pingMs }, events);
    });
    this.#onEnded(reason);
  }

  #onOpen(): void {
    this.#isOnline = true;
    this.#options.log.debug({ event: 'ide-bridge' }, 'connected to the IDE backend');
  }

  #onEnded(reason: string): void {
    this.#isOnline = false;
    this.#connection = undefined;
    this.#asks.giveUpAll();
    if (this.#stopping.signal.aborted) return;
    const level = this.#wasHeard || this.#attempts === 0 ? 'warn' : 'debug';
    this.#options.log[level]({ event: 'ide-bridge', reason }, 'not connected to the IDE backend; trying again');
  }

  #onText(text: string | undefined): Promise<void> | undefined {
    const message = text === undefined ? 'it is binary' : readMessage(text);
    if (typeof message === 'string') return this.#onMalformed(message);
    this.#wasHeard = true;
    // An answer does not wait for those who watch.
    this.#asks.offer(message);
    return this.#forwarder.take(message);
  }

  /** Logs the 1st, 2nd, 4th, 8th and so on: a backend could fill the log otherwise. */
  #onMalformed(reason: string): undefined {
    const count = ++this.#malformed;
    if (Number.isInteger(Math.log2(count)))
      this.#options.log.warn({ event: 'ide-bridge', count, reason }, 'a message of the IDE backend is malformed');
    return undefined;
  }
}

function offline(): GatewayError {
  const message =
    'The IDE backend is not connected, so nothing was sent to it. The gateway goes on trying; start the backend at workflows.ide.url of the config';
  return new GatewayError('IDE_OFFLINE', message, { effect: 'none' });
}

function overloaded(): GatewayError {
  const message = 'The IDE backend does not take messages fast enough, so nothing was sent to it. Try again later';
  return new GatewayError('OVERLOADED', message, { effect: 'none' });
}
