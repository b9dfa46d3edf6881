import { LOG_LEVELS } from '../era/legacy.ts';

/** One upstream has one log level, its clients have one each: the upstream is asked for the most talkative. */
export class LogLevels {
  readonly #bySession = new Map<string, number>();

  set(sessionId: string, level: string): void {
    const severity = (LOG_LEVELS as readonly string[]).indexOf(level);
    if (severity >= 0) this.#bySession.set(sessionId, severity);
  }

  remove(sessionId: string): void {
    this.#bySession.delete(sessionId);
  }

  /** The level to ask for, or `undefined` while no client has asked for one. */
  wanted(): string | undefined {
    const lowest = Math.min(...this.#bySession.values());
    return LOG_LEVELS[lowest];
  }
}
