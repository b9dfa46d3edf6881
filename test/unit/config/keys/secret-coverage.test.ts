import { expect, test } from 'vitest';
import { isMapping } from '../../../../src/config/findings/finding.ts';
import { configJsonSchema } from '../../../../src/config/json-schema.ts';
import { isAt } from '../../../../src/config/keys/config-keys.ts';
import { configModel, loadOptions } from '../../../../src/gateway/settings/load-settings.ts';

/** Names of keys whose values are likely to be secret. */
const SECRET = /^(?:token|apiKey|key|hash|password|passphrase|clientSecret|secret|env|headers)$/;
/** These are the path of a file, and a list of names of variables. */
const PUBLIC = new Set(['server.tls.key', 'workflows.ide.agent.env']);

/** Every key of a schema as a path. */
function pathsOf(schema: unknown, path: readonly string[] = []): string[][] {
  if (!isMapping(schema)) return [];
  const { properties, additionalProperties, items } = schema;
  const named = isMapping(properties) ? Object.entries(properties) : [];
  const branches = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => {
    const all = schema[name];
    return Array.isArray(all) ? all : [];
  });
  return [
    [...path],
    ...named.flatMap(([name, part]) => pathsOf(part, [...path, name])),
    ...[additionalProperties, items].flatMap((part) => pathsOf(part, [...path, '*'])),
    ...branches.flatMap((branch) => pathsOf(branch, path)),
  ];
}

test('every key of this build that looks like a secret is declared as one', () => {
  const { keys } = configModel();
  const secret = keys.filter(({ facts }) => facts.secret !== undefined);
  const looksSecret = pathsOf(configJsonSchema(loadOptions({}).workflowOptions)).filter(
    (path) => SECRET.test(path.at(-1) ?? '') && !PUBLIC.has(path.join('.')),
  );
  expect(looksSecret.length).toBeGreaterThan(10);
  const missing = looksSecret.filter((path) => !secret.some(({ pattern }) => isAt(path, pattern)));
  expect(missing.map((path) => path.join('.'))).toEqual([]);
});

test('every secret that a client or service shows may come from a variable', () => {
  const { keys } = configModel();
  const literal = keys.filter(
    ({ pattern, facts }) =>
      facts.secret !== undefined &&
      facts.secret !== 'digest' &&
      !keys.some((one) => one.facts.takesVariables && isAt(pattern, one.pattern)) &&
      !keys.some((one) => one.facts.takesVariables && isAt(pattern.slice(0, -1), one.pattern)),
  );
  expect(literal.map(({ pattern }) => pattern.join('.'))).toEqual([]);
});

test('no text has its variables replaced twice, which would make a variable of an escaped one', () => {
  const taking = configModel().keys.filter(({ facts }) => facts.takesVariables === true);
  const twice = taking.filter(({ pattern }, index) =>
    taking.some((other, at) => at !== index && [pattern, pattern.slice(0, -1)].some((one) => isAt(one, other.pattern))),
  );
  expect(twice.map(({ pattern }) => pattern.join('.'))).toEqual([]);
});
