import type { ForeignName } from '../../core/settings/config-key.ts';
import { type ConfigKey, isAt } from '../keys/config-keys.ts';
import type { ConfigPath, Finding } from './finding.ts';

type Words = Pick<Finding, 'message' | 'hint'>;

const UNKNOWN = 'unknown key';

/**
 * Returns what to say about a key that is unknown here but means something to other programs.
 * @returns `undefined` if no program is known to have it
 */
export function foreignKey(path: ConfigPath, keys: readonly ConfigKey[]): Words | undefined {
  const name = String(path.at(-1));
  // Agents have the keys of entries only. Here, some of these may be under `defaults`, too.
  const parent = path[0] === 'defaults' ? ['upstreams', '*', ...path.slice(1, -1)] : path.slice(0, -1);
  const foreign = keys.filter(({ pattern }) => isIn(pattern, parent)).flatMap(({ facts }) => facts.foreign ?? []);
  const found = foreign.find(({ names }) => names.includes(name));
  if (found !== undefined) return wordsOf(found);
  const isUnused = keys.some(({ pattern, facts }) => isAt(parent, pattern) && facts.unused?.includes(name));
  return isUnused ? { message: UNKNOWN, hint: 'not used by Viaduct: remove it' } : undefined;
}

const isIn = (pattern: readonly string[], parent: ConfigPath): boolean =>
  pattern.length > 0 && isAt(parent, pattern.slice(0, -1));

const wordsOf = ({ message = UNKNOWN, hint }: ForeignName): Words => ({ message, hint });
