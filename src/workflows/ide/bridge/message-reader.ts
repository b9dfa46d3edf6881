import type { Log } from '../../../telemetry/log.ts';
import { type IncomingMessage, readMessage } from './messages.ts';

/** Reads the backend's messages. Those that are malformed are counted and logged. */
export class MessageReader {
  readonly #log: Pick<Log, 'warn'>;
  #malformed = 0;

  constructor(log: Pick<Log, 'warn'>) {
    this.#log = log;
  }

  /** Number of messages that were malformed so far. */
  get malformed(): number {
    return this.#malformed;
  }

  /**
   * Returns a message, or `undefined` if it is malformed.
   * @param text `undefined` stands for a binary message
   */
  read(text: string | undefined): IncomingMessage | undefined {
    const message = text === undefined ? 'it is binary' : readMessage(text);
    if (typeof message !== 'string') return message;
    this.#noteMalformed(message);
    return undefined;
  }

  /** Logs the 1st, 2nd, 4th, 8th and so on: a backend could fill the log otherwise. */
  #noteMalformed(reason: string): void {
    const count = ++this.#malformed;
    if (Number.isInteger(Math.log2(count)))
      this.#log.warn({ event: 'ide-bridge', count, reason }, 'a message of the IDE backend is malformed');
  }
}
