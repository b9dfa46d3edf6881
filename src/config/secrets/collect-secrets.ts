import { type ConfigKey, visitTexts } from '../keys/config-keys.ts';
import { proxySecrets } from './proxy-secrets.ts';
import { SECRET_RULES, type SecretContext } from './secret-kinds.ts';
import { toSecrets } from './secrets.ts';

/**
 * Collects the texts of a config that must never be shown.
 * @param file the value of the file, with variables replaced and `defaults` merged into the entries
 * @param values values of variables that may be secret
 */
export function collectSecrets(
  file: unknown,
  keys: readonly ConfigKey[],
  values: readonly string[],
  context: SecretContext & { readonly enabledWorkflows: readonly string[] },
): string[] {
  const found: string[] = [];
  for (const { pattern, facts } of keys) {
    const { secret } = facts;
    if (secret === undefined) continue;
    visitTexts(file, pattern, (text, path) => {
      found.push(...SECRET_RULES[secret].textsOf(text, String(path.at(-1)), context, facts));
    });
  }
  return toSecrets([...values, ...found, ...secretsOfVariables(keys, context), ...proxySecrets(context.env)]);
}

/** Values of the variables that the enabled workflows read if the config has no value. */
function secretsOfVariables(
  keys: readonly ConfigKey[],
  { env, enabledWorkflows }: Parameters<typeof collectSecrets>[3],
): string[] {
  return keys.flatMap(({ pattern: [section, name = ''], facts: { fromVariable } }) => {
    const isUsed = fromVariable !== undefined && section === 'workflows' && enabledWorkflows.includes(name);
    return isUsed ? (env[fromVariable]?.trim() ?? []) : [];
  });
}
