// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../../src/config/findings/config-error.ts';
import { liveOptions } from '../../../../src/workflows/live/options.ts';
import { errorOf } from '../parse-text.ts';

const LIVE = { workflowOptions: { live: liveOptions } };

const shown = (text: string): string => errorOf(text, LIVE).format('viaduct.yaml');

describe('format', () => {
  test('shows the place, the hint, the line and a caret', () => {
    expect(shown('schemaVersion: 1\nupstreams:\n  github:\n    comand: npx\n')).toBe(
      [
        'viaduct.yaml:4:5  upstreams.github.comand: unknown key',
        '    did you mean "command"?',
        '  4 |     comand: npx',
        '    |     ^',
      ].join('\n'),
    );
  });

  test('issues are parted by an empty line; one without a hint has none', () => {
    expect(shown('schemaVersion: 1\nserver: { port: -1 }\nnames: { maxLength: 1 }')).toBe(
      [
        'viaduct.yaml:2:17  server.port: must be a whole number from 0 to 65535',
        '  2 | server: { port: -1 }',
        '    |                 ^',
        '',
        'viaduct.yaml:3:21  names.maxLength: must be a whole number from 20 to 128',
        '  3 | names: { maxLength: 1 }',
        '    |                     ^',
      ].join('\n'),
    );
  });

  test('names the file that was read unless told otherwise', () => {
    expect(errorOf('[]').format()).toMatch(/^\/home\/me\/project\/viaduct\.yaml:1:1 {2}must be/);
  });

  test('the message is one line, fit for a log', () => {
    expect(errorOf('schemaVersion: 1\nfoo: 1\nbar: 1').message).toBe(
      '/home/me/project/viaduct.yaml:2:1  foo: unknown key (and 1 more)',
    );
  });

  test('tabs before the column stay, so that the caret stands right', () => {
    expect(shown('{\n\t"schemaVersion": 1,\n\t"a":\t1, "log": 7\n}').split('\n').slice(-2)).toEqual([
      '  3 | \t"a":\t1, "log": 7',
      '    | \t    \t          ^',
    ]);
  });

  test('of a long line the part around the column is shown', () => {
    const text = `{ "schemaVersion": 1, "server": { "allowedHosts": [${'"x", '.repeat(40)} 7${', "x"'.repeat(40)}] } }`;
    const [line, caret] = shown(text).split('\n').slice(-2);
    expect(line).toHaveLength('  1 | '.length + 100);
    expect(line?.[caret?.indexOf('^') ?? -1]).toBe('7');
  });

  test('control characters do not reach the terminal', () => {
    expect(shown('schemaVersion: 1 # \u001b[31m\u009b\r\nfoo: 1').includes('\u001b')).toBe(false);
    expect(shown('foo: "\u001b[31m"\r\nschemaVersion: 1').split('\n').at(-2)).toBe('  1 | foo: "?[31m"');
    expect(shown('a: *\u001bx')).toContain('the alias *?x has no anchor before it');
    expect(errorOf('a: *\u001bx').message).toContain('*?x');
  });

  test('of very many issues the first fifty are shown', () => {
    const keys = Array.from({ length: 60 }, (_, index) => `k${index}: 1`);
    const blocks = shown(['schemaVersion: 1', ...keys].join('\n')).split('\n\n');
    expect([blocks.length, blocks.at(-1)]).toEqual([51, '… and 10 more']);
  });

  test('an issue of the whole file has no line', () => {
    const issue = { line: 0, column: 0, jsonPath: '', message: 'gone', hint: 'one\ntwo' };
    expect(new ConfigError('/a/b.yaml', [issue], { source: 'text' }).format('b.yaml')).toBe(
      'b.yaml  gone\n    one\n    two',
    );
  });

  test('issues come in the order of the file, whatever order they were found in', () => {
    const issue = (line: number, column: number) => ({ line, column, jsonPath: '', message: `${line}:${column}` });
    const error = new ConfigError('x', [issue(2, 1), issue(1, 9), issue(1, 2)]);
    expect(error.issues.map(({ message }) => message)).toEqual(['1:2', '1:9', '2:1']);
  });
});

describe('values of env in what is shown', () => {
  const lineOf = (text: string): string | undefined => shown(text).split('\n').at(-2);
  const inEntry = (env: string): string =>
    `{ schemaVersion: 1, upstreams: { a: { command: x, foo: 1, env: ${env} } } }`;

  test.each([
    ['plain', '{ A: my-secret }', '{ A: ********* }'],
    ['quoted', '{ A: "my secret" }', '{ A: *** ******* }'],
    ['of the wrong kind', '{ A: [my-secret] }', '{ A: *********** }'],
    ['env of the wrong kind', '[A=my-secret]', '[***********]'],
    ['a reference stays', '{ A: "${TOKEN}" }', '{ A: "${TOKEN}" }'],
    ['a default does not', '{ A: "${TOKEN:-my-secret}" }', '{ A: ********************* }'],
    ['what is short stays', '{ A: 12345 }', '{ A: 12345 }'],
  ])('%s', (_name, env, masked) => {
    expect(lineOf(inEntry(env))).toContain(`foo: 1, env: ${masked} }`);
  });

  test('what opens a key', () => {
    const text =
      '{ schemaVersion: 1, upstreams: { a: { foo: 1, url: "https://x/", tls: { passphrase: my-secret } } } }';
    expect(lineOf(text)).toContain('tls: { passphrase: *********');
  });

  test('what clients of a workflow must show', () => {
    const text = '{ schemaVersion: 1, foo: 1, workflows: { live: { token: my-secret-token } } }';
    expect(lineOf(text)).toContain('token: ***************');
  });

  test('values of headers, and whoever stands in a url', () => {
    const text =
      '{ schemaVersion: 1, upstreams: { a: { foo: 1, url: "http://me:my-secret@x/", headers: { A: my-secret } } } }';
    expect(lineOf(text)).toContain('url: "http://************@x/", headers: { A: *********');
  });

  test('under keys that we do not know, too', () => {
    expect(lineOf('{ schemaVersion: 1, mcpServers: { a: { env: { A: my-secret } } } }')).toContain('{ A: ********* }');
  });

  test.each([
    ['on its own line', 'a:\n  env:\n    TOKEN: my-secret: x\n', '  3 |     TOKEN: *********: *'],
    [
      'a brace further on',
      'a:\n  env: { A: my-secret, B: ${C}, "D": "other secret" }',
      '  2 |   env: { A: *********, B: ${C}, "D": "***** ******" }',
    ],
    ['headers', 'a:\n  headers:\n    A: Bearer my-secret: x\n', '  3 |     A: ****** *********: *'],
    ['in JSON', '{ "env": { "A": "my-secret" }} }', '  1 | { "env": { "A": "*********" }} }'],
    ['after env all is shown again', 'a:\n  env:\n    A: x\nb:\n    c: d: e\n', '  5 |     c: d: e'],
  ])('in text that is no YAML: %s', (_name, text, expected) => {
    expect(lineOf(text)).toBe(expected);
  });
});
