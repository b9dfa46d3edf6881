import { readFileSync } from 'node:fs';
import { asObject } from '../../core/json/as-object.ts';
import { writeWhole } from '../../store/write-whole.ts';

/** Thrown if the shared gateway of a client could not be started. */
export class StartFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StartFailure';
  }
}

/** Tells the clients that wait for a start that it has failed: each of them would only fail once more. */
export function noteFailure(file: string, message: string): void {
  try {
    writeWhole(file, JSON.stringify({ at: Date.now(), message }));
  } catch {
    // They try it themselves then.
  }
}

/** Returns the message of a start that has failed at this time or later, in milliseconds since 1970. */
export function failureSince(file: string, since: number): string | undefined {
  try {
    const { at, message } = asObject(JSON.parse(readFileSync(file, 'utf8')));
    return typeof at === 'number' && at >= since ? String(message) : undefined;
  } catch {
    return undefined; // no start has failed
  }
}
