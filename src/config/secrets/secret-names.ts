import type { ConfigKey } from '../keys/config-keys.ts';

/**
 * Returns the names of the keys whose values, or the values under them, are masked where a config is quoted. Urls are not
 * among them: only the user and the password in a url are masked.
 */
export function secretNames(keys: readonly ConfigKey[]): ReadonlySet<string> {
  const secret = keys.filter(({ facts }) => facts.secret !== undefined && facts.secret !== 'url');
  return new Set(secret.flatMap(({ pattern }) => pattern.findLast((part) => part !== '*') ?? []));
}
