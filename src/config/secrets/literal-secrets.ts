import { toJsonPath } from '../findings/finding.ts';
import { type ConfigKey, visitTexts } from '../keys/config-keys.ts';
import { readYaml } from '../yaml/yaml-document.ts';
import { SECRET_RULES } from './secret-kinds.ts';

/**
 * Finds values in the text of a config that may be secrets and are written out instead of referring to a variable.
 * @param keys the keys that a config can have
 * @returns the paths of the values
 */
export function literalSecrets(text: string, keys: readonly ConfigKey[]): string[] {
  const { value } = readYaml(text);
  const paths = new Set<string>();
  for (const { pattern, facts } of keys) {
    const { secret } = facts;
    if (secret === undefined) continue;
    visitTexts(value, pattern, (written, path) => {
      if (SECRET_RULES[secret].isLiteral(written, String(path.at(-1)), facts)) paths.add(toJsonPath(path));
    });
  }
  return [...paths];
}
