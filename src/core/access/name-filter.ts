import { matchesGlob } from '../glob/match-glob.ts';
import { parseGlob } from '../glob/parse-glob.ts';

/** The longest name that is held against globs, in characters. The MCP specification (2025-11-25) recommends 128 at most. */
export const MAX_NAME_LENGTH = 256;

export interface GlobLists {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/**
 * Returns a test of names: true where a glob of `allow` matches and none of `deny` does. A name longer than `maxLength` is not
 * matched: only `*` allows it, and any glob of `deny` denies it.
 * @throws GlobError when a glob cannot be used
 */
export function nameFilter({ allow, deny }: GlobLists, maxLength = MAX_NAME_LENGTH): (name: string) => boolean {
  const isAllowed = globTest(allow, maxLength, false);
  const isDenied = globTest(deny, maxLength, true);
  return (name) => isAllowed(name) && !isDenied(name);
}

/**
 * Returns a test of names: true where one of the globs matches. Without `*` among the globs the answer for a name longer than
 * `maxLength` is `whenTooLong`; no globs match nothing.
 * @throws GlobError when a glob cannot be used
 */
export function globTest(globs: readonly string[], maxLength: number, whenTooLong: boolean): (name: string) => boolean {
  if (globs.length === 0) return () => false;
  if (globs.includes('*')) return () => true;
  const parsed = globs.map(parseGlob);
  return (name) => (name.length > maxLength ? whenTooLong : parsed.some((glob) => matchesGlob(glob, name)));
}
