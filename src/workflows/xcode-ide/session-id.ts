import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../../store/write-whole.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the id under which Xcode knows this gateway as an agent. It is made once and kept: with a new one Xcode would ask its
 * user again.
 */
export function keptSessionId(home: string): string {
  const file = path.join(home, 'xcode-session-id');
  const kept = read(file);
  if (kept !== undefined) return kept;
  const made = randomUUID();
  writeWhole(file, `${made}\n`);
  return made;
}

function read(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return UUID.test(text) ? text : undefined;
  } catch {
    return undefined; // the first run
  }
}
