import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The id under which Xcode knows this gateway as an agent. It is made once and kept: with a new one Xcode would ask its
 * user again.
 */
export function keptSessionId(home: string): string {
  const file = path.join(home, 'xcode-session-id');
  const kept = read(file);
  if (kept !== undefined) return kept;
  const made = randomUUID();
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(file, `${made}\n`, { mode: 0o600 });
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
