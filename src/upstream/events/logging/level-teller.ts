import { LogLevels } from './log-levels.ts';

/** The level with which most servers begin. The protocol has no request that takes a level back. */
const DEFAULT_LEVEL = 'info';

export interface LevelTellerHost {
  /** Returns whether there is a connection to a server that takes log levels. */
  isAble(): boolean;
  /** Asks the server for a level. Resolves when that is answered or has failed. Never rejects. */
  request(level: string): Promise<unknown>;
}

/**
 * Tells one upstream which log messages its clients want (2025-11-25, "Logging"): only when that changes, and with one
 * request at a time, however often clients change their minds.
 */
export class LevelTeller {
  readonly #host: LevelTellerHost;
  readonly #levels = new LogLevels();
  /** The level that the present server was asked for. */
  #told: string | undefined;
  #isTelling = false;

  constructor(host: LevelTellerHost) {
    this.#host = host;
  }

  /** A client wants messages from this level on, until it leaves. */
  set(sessionId: string, level: string): void {
    this.#levels.set(sessionId, level);
    this.#tell();
  }

  /** A call of a modern client wants messages from this level on. */
  raise(level: string): void {
    if (this.#levels.raise(level)) this.#tell();
  }

  /** A client has left: where it was the last one with a level, the server is asked for the default level. */
  remove(sessionId: string): void {
    if (this.#levels.remove(sessionId)) this.#tell();
  }

  /** Called when there is a new connection, whose server has been told no level yet. */
  onConnected(): void {
    this.#told = undefined;
    this.#tell();
  }

  #tell(): void {
    if (!this.#isTelling) void this.#tellUntilTold();
  }

  async #tellUntilTold(): Promise<void> {
    this.#isTelling = true;
    for (let next = this.#untold(); next !== undefined; next = this.#untold()) {
      this.#told = next;
      await this.#host.request(next);
    }
    this.#isTelling = false;
  }

  #untold(): string | undefined {
    if (!this.#host.isAble()) return undefined;
    const wanted = this.#levels.wanted() ?? (this.#told === undefined ? undefined : DEFAULT_LEVEL);
    return wanted === this.#told ? undefined : wanted;
  }
}
