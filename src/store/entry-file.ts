import { createHash } from 'node:crypto';
import type { UpstreamEntry } from '../core/upstream-entry.ts';

/**
 * The name of a file that is kept for an entry. What decides which server it reaches is part of the name: another
 * command, folder or environment is another upstream.
 */
export function entryFile({ key, command, args, cwd, env }: UpstreamEntry): string {
  const facts = JSON.stringify([command, args, cwd, Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1))]);
  const hash = createHash('sha256').update(facts).digest('hex').slice(0, 16);
  return `${key}-${hash}.json`;
}
