import { GatewayError } from '../../../core/errors.ts';
import { type Clock, SYSTEM_CLOCK } from '../../../services/clock.ts';
import { Asks } from './asks.ts';
import type { Bridge } from './bridge.ts';
import type { Connection } from './connection.ts';
import { Forwarder, type ForwarderOptions } from './forwarder.ts';
import { MessageReader } from './message-reader.ts';
import { type IncomingMessage, messageText, type OutgoingMessage } from './messages.ts';
import { ReconnectPauses, type ReconnectPausesOptions } from './reconnect-pauses.ts';

const PING_MS = 30_000;

export interface BridgeOptions extends ForwarderOptions, ReconnectPausesOptions {
  /** `ws://` or `wss://`. */
  readonly url: string;
  readonly token?: string | undefined;
  /** The longest time that an ask waits for its answer, in milliseconds. */
  readonly answerMs: number;
  readonly clock?: Clock | undefined;
  readonly pingMs?: number | undefined;
}

/** Stays connected to an IDE backend as well as it can, and forwards what the backend sends to the live feed. */
export class IdeBridge implements Bridge {
  readonly #options: BridgeOptions;
  readonly #asks: Asks;
  readonly #reader: MessageReader;
  readonly #forwarder: Forwarder;
  readonly #pauses: ReconnectPauses;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #connection: Connection | undefined;
  #isOnline = false;

  constructor(options: BridgeOptions) {
    this.#options = options;
    const { clock = SYSTEM_CLOCK, answerMs, log } = options;
    this.#asks = new Asks(clock, answerMs);
    this.#reader = new MessageReader(log);
    this.#forwarder = new Forwarder(options);
    this.#pauses = new ReconnectPauses(options, clock);
  }

  get isOnline(): boolean {
    return this.#isOnline;
  }

  /** Number of messages that were malformed so far. */
  get malformed(): number {
    return this.#reader.malformed;
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
    const waiting = this.#asks.add(matches);
    if (!this.#connection.send(messageText(message))) {
      waiting.giveUp();
      throw overloaded();
    }
    return this.#asks.wait(waiting, signal);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    try {
      while (!signal.aborted) {
        await this.#connectOnce();
        signal.throwIfAborted();
        await this.#pauses.wait(signal);
      }
    } catch (error) {
      if (!signal.aborted) this.#options.log.error({ error }, 'the connection to the IDE backend is given up');
    }
  }

  /** Resolves when the connection has ended, or could not be made. */
  async #connectOnce(): Promise<void> {
    // The package is only needed by those who have a backend.
    const { Connection } = await import('./connection.ts');
    if (this.#stopping.signal.aborted) return;
    const { url, token, pingMs = PING_MS } = this.#options;
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
    const level = this.#pauses.isFirstFailure ? 'warn' : 'debug';
    this.#options.log[level]({ event: 'ide-bridge', reason }, 'not connected to the IDE backend; trying again');
  }

  #onText(text: string | undefined): Promise<void> | undefined {
    const message = this.#reader.read(text);
    if (message === undefined) return undefined;
    this.#pauses.onMessage();
    // An answer does not wait for those who watch.
    this.#asks.offer(message);
    return this.#forwarder.take(message);
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
