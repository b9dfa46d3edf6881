// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { configKeys, isAt, replaceTexts, visitTexts } from '../../../../src/config/keys/config-keys.ts';
import { ruleFindings } from '../../../../src/config/keys/key-rules.ts';
import { expandVariables } from '../../../../src/config/keys/key-variables.ts';
import { collectSecrets } from '../../../../src/config/secrets/collect-secrets.ts';
import { secretNames } from '../../../../src/config/secrets/secret-names.ts';
import { passwordsIn } from '../../../../src/core/addresses/postgres-url.ts';
import { configKey, type KeyFacts } from '../../../../src/core/settings/config-key.ts';

const key = (facts: Partial<KeyFacts> = {}) => configKey(z.string(), { meaning: 'A key', ...facts });
const patternsOf = (schema: z.ZodType) => configKeys(schema).map(({ pattern }) => pattern.join('.'));

describe('configKeys', () => {
  test('finds keys in mappings, records, lists, unions, and behind defaults', () => {
    const schema = z.strictObject({
      plain: z.string(),
      a: key().optional(),
      section: z.strictObject({ b: key() }).prefault({ b: '' }).describe('A section'),
      named: z.record(z.string(), z.strictObject({ c: key().default('x') })),
      list: z.array(z.strictObject({ d: key().nullable() })),
      either: z.union([z.literal('none'), z.strictObject({ e: key() })]),
      changed: z.strictObject({ f: key() }).transform((value) => value.f),
    });
    expect(patternsOf(schema)).toEqual(['a', 'section.b', 'named.*.c', 'list.*.d', 'either.e', 'changed.f']);
  });

  test('a key within a key is found, too', () => {
    const outer = configKey(z.strictObject({ inner: key() }), { meaning: 'Outer' });
    expect(patternsOf(z.strictObject({ outer }))).toEqual(['outer', 'outer.inner']);
  });
});

test.each([
  [['a', 'b'], ['a', '*'], true],
  [['a', 0], ['a', '*'], true],
  [['a'], ['a', '*'], false],
  [['a', 'b', 'c'], ['a', '*'], false],
  [['b', 'b'], ['a', '*'], false],
])('that %j is at %j is %s', (path, pattern, expected) => {
  expect(isAt(path, pattern)).toBe(expected);
});

describe('replaceTexts', () => {
  const shout = (text: string): string => text.toUpperCase();

  test('replaces a text, and the texts directly in a list or mapping', () => {
    const file = { a: 'x', b: ['y', 1, ['z']], c: { d: 'w', e: { f: 'v' } }, g: 'u' };
    const replaced = ['a', 'b', 'c'].reduce<unknown>((value, name) => replaceTexts(value, [name], shout), file);
    expect(replaced).toEqual({ a: 'X', b: ['Y', 1, ['z']], c: { d: 'W', e: { f: 'v' } }, g: 'u' });
  });

  test('leaves other shapes alone', () => {
    expect(replaceTexts({ a: ['x'] }, ['a', 'b'], shout)).toEqual({ a: ['x'] });
    expect(replaceTexts({ a: null }, ['a', '*', 'b'], shout)).toEqual({ a: null });
    expect(replaceTexts('x', ['a'], shout)).toBe('x');
  });

  test('tells the path of each text', () => {
    const paths: unknown[] = [];
    visitTexts({ a: { m: { t: 'x' }, n: { t: ['y'] } } }, ['a', '*', 't'], (text, path) => paths.push([text, ...path]));
    expect(paths).toEqual([
      ['x', 'a', 'm', 't'],
      ['y', 'a', 'n', 't', 0],
    ]);
  });
});

test('variables are replaced at the keys that take them, and nowhere else', () => {
  const keys = configKeys(z.strictObject({ a: key({ takesVariables: true }), b: key() }));
  const { value, values, findings } = expandVariables({ a: '${V} ${NOPE}', b: '${V}' }, keys, { V: 'from-outside' });
  expect(value).toEqual({ a: 'from-outside ${NOPE}', b: '${V}' });
  expect(values).toEqual(['from-outside']);
  expect(findings).toMatchObject([{ path: ['a'], isUnset: true }]);
});

test('a variable may be unset in an entry that is disabled, but not malformed', () => {
  const entry = z.strictObject({ a: key({ takesVariables: true }) });
  const keys = configKeys(z.strictObject({ upstreams: z.record(z.string(), entry) }));
  const upstreams = { off: { disabled: true, a: '${NOPE} ${' }, on: { a: '${NOPE}' } };
  expect(expandVariables({ upstreams }, keys, {}).findings.map(({ path }) => path.join('.'))).toEqual([
    'upstreams.off.a',
    'upstreams.on.a',
  ]);
});

test('a rule sees its text before and after variables are replaced', () => {
  const seen: unknown[] = [];
  const rule: KeyFacts['rule'] = (value, { written, parent, folder }) => {
    seen.push([value, written, parent, folder]);
    return { message: 'wrong' };
  };
  const keys = configKeys(z.strictObject({ a: key({ rule }) }));
  const context = { folder: '/f', env: {} };
  const findings = ruleFindings(keys, { written: { a: '${V}' }, expanded: { a: 'v' } }, context);
  expect(findings).toEqual([{ path: ['a'], message: 'wrong' }]);
  expect(seen).toEqual([['v', '${V}', { a: '${V}' }, '/f']]);
  expect(ruleFindings(keys, { written: { a: ['x'] }, expanded: { a: ['x'] } }, context)).toEqual([]);
});

describe('secrets', () => {
  const workflow = z.strictObject({ token: key({ secret: 'text', fromVariable: 'W_TOKEN' }) });
  const keys = configKeys(
    z.strictObject({
      token: key({ secret: 'text' }),
      headers: key({ secret: 'header' }),
      env: key({ secret: 'variable' }),
      pem: key({ secret: 'pem' }),
      url: key({ secret: 'url', passwordsIn }),
      hash: key({ secret: 'digest' }),
      plain: key(),
      workflows: z.strictObject({ w: workflow }),
    }),
  );
  test('a key whose url has secrets says where they are', () => {
    expect(() => key({ secret: 'url' })).toThrow('passwordsIn');
  });

  const context = { folder: '/folder', env: { HOME: '/home/me', W_TOKEN: ' from-variable ' }, enabledWorkflows: ['w'] };
  const secretsIn = (file: object, changes: object = {}) => collectSecrets(file, keys, [], { ...context, ...changes });

  test.each<[string, object, string[]]>([
    ['a text', { token: 'abcdefg' }, ['abcdefg']],
    ['nothing short', { token: 'abc' }, []],
    ['a header, with and without its scheme', { headers: { A: 'Bearer abcdefg' } }, ['Bearer abcdefg', 'abcdefg']],
    ['a variable by its name', { env: { API_KEY: 'abcdefg' } }, ['abcdefg']],
    ['no plain setting', { env: { MODE: 'production' } }, []],
    ['no folder', { env: { TOKEN_FOLDER: '/folder', KEY_PLACE: '/home/me' } }, []],
    ['no file of a key', { pem: './key.pem' }, []],
    ['a key and its lines', { pem: '-----BEGIN K\nabcdefg' }, ['-----BEGIN K\nabcdefg', 'abcdefg']],
    ['the password in a url', { url: 'postgres://me:abcdefg@h/d' }, ['postgres://me:abcdefg@h/d', 'abcdefg']],
    ['no digest', { hash: 'sha256:abcdefg' }, []],
    ['nothing else', { plain: 'abcdefg' }, []],
  ])('%s', (_name, file, expected) => {
    expect(secretsIn(file, { enabledWorkflows: [] })).toEqual(expected);
  });

  test('the variable of a workflow that is enabled', () => {
    expect(secretsIn({})).toEqual(['from-variable']);
  });

  test('the names that are masked are those of secrets, without urls', () => {
    expect([...secretNames(keys)]).toEqual(['token', 'headers', 'env', 'pem', 'hash']);
  });
});
