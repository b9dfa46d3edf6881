import { LOG_LEVELS, severityOf } from '../../../era/legacy/legacy.ts';

/** An id that no session has. */
const OF_CALLS = '';

/** One upstream has one log level, its clients have one each: the upstream is asked for the most talkative. */
export class LogLevels {
  readonly #bySession = new Map<string, number>();

  set(sessionId: string, level: string): void {
    const severity = severityOf(level);
    if (severity >= 0) this.#bySession.set(sessionId, severity);
  }

  /**
   * Raises the level for clients that name it with each call, for as long as the connection lasts. Returns true if that
   * changes it.
   */
  raise(level: string): boolean {
    const severity = severityOf(level);
    const before = this.#bySession.get(OF_CALLS);
    if (severity < 0 || (before !== undefined && before <= severity)) return false;
    this.#bySession.set(OF_CALLS, severity);
    return true;
  }

  /** Called when a client has gone. Returns true if another level must be requested now. */
  remove(sessionId: string): boolean {
    const before = this.wanted();
    this.#bySession.delete(sessionId);
    return this.wanted() !== before;
  }

  /** Returns the level to ask for, or `undefined` while no client has asked for one. */
  wanted(): string | undefined {
    const lowest = Math.min(...this.#bySession.values());
    return LOG_LEVELS[lowest];
  }
}
