import { createHash } from 'node:crypto';
import type { UpstreamEntry } from '../core/settings/upstream-entry.ts';

/**
 * Returns the name of a file that is kept for an entry. What decides which server it reaches is part of the name: another
 * command, folder, environment or url is another upstream.
 */
export function entryFile(entry: UpstreamEntry): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(factsOf(entry)))
    .digest('hex')
    .slice(0, 16);
  return `${entry.key}-${hash}.json`;
}

function factsOf(entry: UpstreamEntry): readonly unknown[] {
  if (entry.url !== undefined) return [entry.url, sorted(entry.headers)];
  if (entry.ports !== undefined) return [entry.ports, entry.workspace];
  return [entry.command, entry.args, entry.cwd, sorted(entry.env)];
}

function sorted(values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}
