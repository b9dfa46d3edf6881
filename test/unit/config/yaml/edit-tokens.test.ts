import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokenText, withoutToken, withToken } from '../../../../src/config/yaml/edit-tokens.ts';
import { readYaml } from '../../../../src/config/yaml/yaml-document.ts';

const hashOf = (digit: string) => `sha256:${digit.repeat(64)}`;
const A = { name: 'a', hash: hashOf('a'), upstreams: ['files', '7'], expires: '2027-01-31T00:00:00Z' };
const B = { name: 'true', hash: hashOf('b') };
const EXAMPLE = readFileSync(new URL('../../../../config.example.yaml', import.meta.url), 'utf8');

const tokensIn = (text: string) => (readYaml(text).value as any).server.tokens;

/** Whether the lines of one text are all in another, in their order. */
function keepsLines(before: string, after: string): boolean {
  const lines = after.split('\n');
  let at = 0;
  return before.split('\n').every((line) => {
    at = lines.indexOf(line, at) + 1;
    return at > 0;
  });
}

describe.each([
  ['no server', 'schemaVersion: 1\n# end'],
  ['an empty section', 'schemaVersion: 1\nserver: # mine\n\nlog:\n  level: warn\n'],
  ['a section without tokens', 'schemaVersion: 1\nserver: # mine\n    port: 0   # any\n\n# end\n'],
  [
    'tokens in blocks',
    `server:\n  tokens:\n  # first\n  - hash: ${hashOf('c')} # x\n    name: c\n  # after\n  port: 0\n`,
  ],
  ['the example', EXAMPLE],
])('in a config with %s', (_what, text) => {
  test('tokens are added and taken out, and every line that was there stays', () => {
    const before = (readYaml(text).value as any).server?.tokens ?? [];
    const one = withToken(text, A);
    const two = withToken(one, B);
    expect(tokensIn(two)).toEqual([...before, A, B]);
    expect(keepsLines(text.trimEnd(), two)).toBe(true);
    expect(withoutToken(two, B.name)).toBe(one);
    expect(tokensIn(withoutToken(two, 'a')!)).toEqual([...before, B]);
    expect(tokensIn(withoutToken(one, 'a')!)).toEqual(before);
    expect(withoutToken(two, 'nobody')).toBeUndefined();
  });
});

test.each([
  ['{"schemaVersion":1,"server":{"port":0}}'],
  ['{\n  "schemaVersion": 1,\n  "server": {\n    "tokens": []\n  }\n}\n'],
  ['{"schemaVersion":1}'],
  ['schemaVersion: 1\nserver: {}\n'],
  ['schemaVersion: 1\nserver: { port: 0, tokens: [ ] } # x\n'],
])('a config in braces is still read: %s', (text) => {
  const two = withToken(withToken(text, A), B);
  expect(tokensIn(two)).toEqual([A, B]);
  expect(tokensIn(withoutToken(two, 'a')!)).toEqual([B]);
  expect(tokensIn(withoutToken(withoutToken(two, 'a')!, 'true')!)).toEqual([]);
  if (text.startsWith('{')) expect(() => JSON.parse(two)).not.toThrow();
});

test.each([
  ['- a list'],
  ['text'],
  ['schemaVersion: 1\nserver: &x\n  port: 0\nother: *x\n'],
  ['server: 7\n'],
  ['a: ['],
])('what cannot be changed safely is left alone, or what it says besides is the same: %s', (text) => {
  try {
    expect(tokensIn(withToken(text, A))).toEqual([A]);
  } catch (error) {
    expect((error as Error).name).toBe('TokenEditError');
  }
});

test('an entry can be pasted as it is shown', () => {
  const names = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,12}$/);
  fc.assert(
    fc.property(names, fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }), (name, upstreams) => {
      const entry = { name, hash: hashOf('0'), upstreams };
      const indented = tokenText(entry).replaceAll(/^/gm, '  ');
      expect(tokensIn(`server:\n  tokens:\n${indented}`)).toEqual([entry]);
      expect(tokensIn(withToken('schemaVersion: 1\nserver:\n  port: 0\n', entry))).toEqual([entry]);
    }),
  );
});
