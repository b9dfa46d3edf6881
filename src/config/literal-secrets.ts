import { isMapping, toJsonPath, valueAt } from './finding.ts';
import { MIN_SECRET_LENGTH } from './mask.ts';
import { isPublicName } from './secrets.ts';
import { readYaml } from './yaml-document.ts';

/** Where a config's text has values of `env` and `headers` that stand there themselves and are no references: secrets, perhaps. */
export function literalSecrets(text: string): string[] {
  const upstreams = valueAt(readYaml(text).value, ['upstreams']);
  if (!isMapping(upstreams)) return [];
  return Object.entries(upstreams).flatMap(([key, entry]) =>
    ['env', 'headers'].flatMap((section) => {
      const values = valueAt(entry, [section]);
      if (!isMapping(values)) return [];
      return Object.entries(values)
        .filter(([name, value]) => !isPublicName(name) && isLiteral(value))
        .map(([name]) => toJsonPath(['upstreams', key, section, name]));
    }),
  );
}

function isLiteral(value: unknown): boolean {
  return typeof value === 'string' && value.length >= MIN_SECRET_LENGTH && !value.includes('${');
}
