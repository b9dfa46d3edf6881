// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../../src/config/findings/config-error.ts';
import { parseRunnableConfig } from '../../../../src/config/load.ts';
import { brokenReason } from '../../../../src/config/upstreams/broken-entry.ts';
import { errorOf, OPTIONS } from '../parse-text.ts';

const read = (text: string) => parseRunnableConfig(text, OPTIONS);

/** A file with one good entry and one that has these lines. */
const withEntry = (...lines: string[]): string =>
  ['schemaVersion: 1', 'upstreams:', '  good: { command: x }', '  bad:', ...lines.map((line) => `    ${line}`)].join(
    '\n',
  );

describe('an entry with a fault', () => {
  test.each([
    ['a variable that is not set', ['command: x', 'env: { A: "${NOPE}" }'], 'the variable NOPE is not set (set NOPE'],
    ['a key that is unknown', ['command: x', 'arg: []'], 'unknown key (did you mean "args"?)'],
    ['a value of the wrong type', ['command: x', 'args: y'], 'must be a list, not text'],
    ['two ways to reach it', ['command: x', 'url: http://h/'], 'either a command or a url'],
    ['no way to reach it', ['prefix: p'], 'required, but missing'],
    ['a prefix that is taken', ['command: x', 'prefix: good'], 'has the prefix "good" already'],
    ['a merge key', ['command: x', '<<: {}'], 'merge keys (<<) are not supported'],
    ['a key that occurs twice', ['command: x', 'command: y'], 'this key occurs twice'],
    ['a whole command line', ['command: npx -y @x/y'], 'is a whole command line'],
  ])('does not run, and the others do: %s', (_name, lines, words) => {
    const config = read(withEntry(...lines));
    expect(config.upstreams.map(({ key }) => key)).toEqual(['good']);
    expect(config.broken).toMatchObject([{ key: 'bad', isDisabled: false }]);
    expect(brokenReason(config.broken[0]!)).toContain(words);
    expect(() => errorOf(withEntry(...lines))).not.toThrow();
  });

  test('says where it is wrong, and how much more is', () => {
    const [entry] = read(withEntry('command: x', 'arg: []', 'restart: allways')).broken;
    expect(brokenReason(entry!)).toBe(
      'line 6:5, upstreams.bad.arg: unknown key (did you mean "args"?); and 1 more: viaduct config check',
    );
  });

  test('keeps its prefix, and is known to profiles', () => {
    const text = `${withEntry('command: "${NOPE}"', 'prefix: p')}\nprofiles: { review: { upstreams: [bad] } }`;
    expect(read(text).broken).toMatchObject([{ key: 'bad', prefix: 'p' }]);
  });

  test('that is switched off is known to be', () => {
    expect(read(withEntry('disabled: true', 'command: x', 'arg: []')).broken).toMatchObject([{ isDisabled: true }]);
  });

  test('tells what it would run, for the protection of files, and its secrets', () => {
    const { broken, secrets } = read(
      withEntry('command: ./run', 'arg: []', 'env: { KEY: "sesame-open", OTHER: "${NOPE}" }'),
    );
    expect(broken[0]?.partial).toMatchObject({ command: './run', cwd: '/home/me/project' });
    expect(secrets).toContain('sesame-open');
  });

  test('may have a name that no upstream can have', () => {
    const config = read('schemaVersion: 1\nupstreams: { good: { command: x }, "my server": { command: x } }');
    expect(config.upstreams.map(({ key }) => key)).toEqual(['good']);
    expect(config.broken.map(({ key }) => key)).toEqual(['my server']);
  });

  test('does not change the order of the others', () => {
    const text =
      'schemaVersion: 1\nupstreams: { b: { command: x }, c: { comand: x }, a: { command: x }, 7: { command: x } }';
    expect(read(text)).toMatchObject({
      order: ['b', 'c', 'a', '7'],
      upstreams: [{ key: 'b' }, { key: 'a' }, { key: '7' }],
    });
  });
});

describe('a fault of the whole file', () => {
  test.each([
    ['no YAML', 'schemaVersion: 1\nupstreams: { a: [', 2],
    ['an unknown key at the top', 'schemaVersion: 1\nupstream: {}', 2],
    ['a global option of the wrong type', 'schemaVersion: 1\nlimits: { calls: many }', 2],
    ['another version', 'schemaVersion: 2', 1],
    ['a variable that is not set, outside of entries', 'schemaVersion: 1\nlog: { file: "${NOPE}" }', 2],
    ['entries that are a list', 'schemaVersion: 1\nupstreams: [a]', 2],
    ['a profile with an upstream that is not there', 'schemaVersion: 1\nprofiles: { p: { upstreams: [x] } }', 2],
    ['defaults with a fault', 'schemaVersion: 1\ndefaults: { restart: allways }', 2],
    ['an entry that is called __proto__', 'schemaVersion: 1\nupstreams: { __proto__: { command: x } }', 2],
  ])('stops the start: %s', (_name, text, line) => {
    expect(() => read(text)).toThrow(ConfigError);
    expect(errorOf(text).issues[0]).toMatchObject({ line });
  });

  test('is told together with those of entries', () => {
    try {
      read('schemaVersion: 1\nfoo: 1\nupstreams: { a: { comand: x } }');
      expect.unreachable();
    } catch (error) {
      expect((error as ConfigError).issues.map(({ jsonPath }) => jsonPath)).toEqual(['foo', 'upstreams.a.comand']);
    }
  });
});
