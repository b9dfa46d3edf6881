// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { describe, expect, test } from 'vitest';
import { issuesOf } from '../parse-text.ts';

/** In an entry that is fine but for these lines, which begin at 5:5. */
const inEntry = (...lines: string[]): string =>
  ['schemaVersion: 1', 'upstreams:', '  a:', '    command: x', ...lines.map((line) => `    ${line}`)].join('\n');

const withVersion = (line: string): string => `schemaVersion: 1\n${line}\n`;

describe('schemaVersion', () => {
  test.each([
    ['missing', 'log: {}', '1:1 schemaVersion: required, but missing -> begin the file with "schemaVersion: 1"'],
    [
      'missing, below a comment',
      '# x\nlog: {}',
      '2:1 schemaVersion: required, but missing -> begin the file with "schemaVersion: 1"',
    ],
    ['empty', 'schemaVersion:', '1:15 schemaVersion: required, but missing -> begin the file with "schemaVersion: 1"'],
    ['a text', 'schemaVersion: "1"', '1:16 schemaVersion: must be 1, not "1" -> remove the quotes'],
  ])('%s', (_name, text, expected) => {
    expect(issuesOf(text)).toEqual([expected]);
  });

  test.each([0, 2, 1.5])('%d: nothing else is said of a file of another version', (version) => {
    expect(issuesOf(`schemaVersion: ${version}\nfoo: 1`)).toEqual([
      `1:16 schemaVersion: this build reads version 1, and the file is of version ${version}` +
        ' -> use another build of Viaduct, or write the file for version 1 (docs/CONFIG.md)',
    ]);
  });
});

describe('missing keys and empty values', () => {
  test.each([
    ['a command', withVersion('upstreams:\n  a: { args: [] }'), '3:3 upstreams.a.command: required, but missing'],
    [
      'a command in an empty entry',
      withVersion('upstreams:\n  a:'),
      '3:5 upstreams.a: must be a mapping (key: value), not an empty value -> an entry needs at least a command or a url',
    ],
    [
      'half an entry',
      withVersion('upstreams:\n  a:\n    comm'),
      '4:5 upstreams.a: must be a mapping (key: value), not text -> an entry needs at least a command or a url',
    ],
    [
      'an empty command',
      withVersion('upstreams: { a: { command: "" } }'),
      '2:28 upstreams.a.command: must not be empty',
    ],
    [
      'a command that is empty after all',
      withVersion('upstreams: { a: { command: "${EMPTY}" } }'),
      '2:28 upstreams.a.command: must not be empty',
    ],
    [
      'an empty value in env',
      inEntry('env:', '  NAME:'),
      `6:12 upstreams.a.env.NAME: must be text, not an empty value -> an empty text is "", and a text such as null or ~ must be in quotes`,
    ],
    [
      'an empty item in args',
      inEntry('args: [~]'),
      '5:12 upstreams.a.args[0]: must be text, not an empty value -> an empty text is "", and a text such as null or ~ must be in quotes',
    ],
    [
      'an empty prefix that was not meant as ""',
      inEntry('prefix:'),
      '5:12 upstreams.a.prefix: must be text, not an empty value -> an empty text is "", and a text such as null or ~ must be in quotes',
    ],
    ['an empty glob', inEntry('tools: { allow: [""] }'), '5:22 upstreams.a.tools.allow[0]: must not be empty'],
  ])('%s', (_name, text, expected) => {
    expect(issuesOf(text)).toEqual([expected]);
  });
});

describe('values of the wrong kind', () => {
  test.each([
    ['a list as the whole', '[1]', '1:1 must be a mapping (key: value), not a list'],
    ['a text as the whole', 'hello', '1:1 must be a mapping (key: value), not text'],
    ['a section', withVersion('server: 8080'), '2:9 server: must be a mapping (key: value), not the number 8080'],
    [
      'entries as a list',
      withVersion('upstreams: [x]'),
      '2:12 upstreams: must be a mapping (key: value), not a list -> each entry is under its name: "name: { command: … }"',
    ],
    [
      'a command with its arguments',
      withVersion('upstreams: { a: { command: [npx, -y] } }'),
      '2:28 upstreams.a.command: must be text, not a list -> put the program here, the rest in args',
    ],
    [
      'a number as text',
      withVersion('upstreams: { a: { command: 7 } }'),
      '2:28 upstreams.a.command: must be text, not the number 7 -> in quotes it is text: "7"',
    ],
    [
      'arguments on one line',
      inEntry('args: -y server'),
      '5:11 upstreams.a.args: must be a list, not text -> one item an argument: args: [-y, some-server]',
    ],
    ['a list in args', inEntry('args: [[a]]'), '5:12 upstreams.a.args[0]: must be text, not a list'],
    [
      'env as a list',
      inEntry('env: [A=b]'),
      '5:10 upstreams.a.env: must be a mapping (key: value), not a list -> one line a variable: NAME: value',
    ],
    ['a mapping in env', inEntry('env: { A: { b: c } }'), '5:15 upstreams.a.env.A: must be text, not a mapping'],
    [
      'one glob',
      inEntry('tools: { deny: rm }'),
      '5:20 upstreams.a.tools.deny: must be a list, not text -> in brackets: [a, b], or one "- " a line',
    ],
    [
      'yes',
      inEntry('disabled: yes'),
      '5:15 upstreams.a.disabled: must be true or false, not text -> write true or false, without quotes',
    ],
    [
      'a number as a switch',
      inEntry('inferHints: 1'),
      '5:17 upstreams.a.inferHints: must be true or false, not the number 1',
    ],
    [
      'a number in quotes',
      withVersion('server: { port: "80" }'),
      '2:17 server.port: must be a whole number from 0 to 65535 -> remove the quotes',
    ],
    [
      'a variable where there are none',
      withVersion('server: { port: "${PORT}" }'),
      '2:17 server.port: must be a whole number from 0 to 65535 -> variables are replaced only in command, args, env, cwd, url, headers, auth, tls and workspace of an upstream',
    ],
    [
      'options of a workflow',
      withVersion('workflows: { xcode-ide: { tabs: no } }'),
      '2:33 workflows.xcode-ide.tabs: must be a number, not text',
    ],
    [
      'none of the alternatives',
      withVersion('workflows: { xcode-ide: { target: 7 } }'),
      '2:35 workflows.xcode-ide.target: has none of the forms that are allowed here',
    ],
  ])('%s', (_name, text, expected) => {
    expect(issuesOf(text)).toEqual([expected]);
  });
});

describe('values that are not allowed', () => {
  test.each([
    [
      'a choice, misspelt',
      inEntry('restart: allways'),
      '5:14 upstreams.a.restart: must be always, on-demand or never, not "allways" -> did you mean "always"?',
    ],
    [
      'a choice, something else',
      inEntry('share: process'),
      '5:12 upstreams.a.share: must be auto, gateway, session or folder, not "process"',
    ],
    [
      'a choice, of another type',
      inEntry('validation: false'),
      '5:17 upstreams.a.validation: must be off, warn or enforce, not the boolean false',
    ],
    [
      'a choice, with a variable',
      withVersion('log: { level: "${LEVEL}" }'),
      '2:15 log.level: must be silent, fatal, error, warn, info, debug or trace, not "${LEVEL}" -> variables are replaced only in command, args, env, cwd, url, headers, auth, tls and workspace of an upstream',
    ],
    [
      'a workflow, misspelt',
      withVersion('enabledWorkflows: [xcode-ied]'),
      '2:20 enabledWorkflows[0]: there is no workflow "xcode-ied" -> did you mean "xcode-ide"?',
    ],
    [
      'a workflow that there is not',
      withVersion('enabledWorkflows:\n  - foo'),
      '3:5 enabledWorkflows[0]: there is no workflow "foo" -> there are: xcode-ide, checkpoints',
    ],
    ['a prefix', inEntry('prefix: a.b'), '5:13 upstreams.a.prefix: must have at most 40 letters, digits, _ and -'],
    [
      'a prefix that is too long',
      inEntry(`prefix: ${'p'.repeat(41)}`),
      '5:13 upstreams.a.prefix: must have at most 40 letters, digits, _ and -',
    ],
    ['a NUL', inEntry('args: ["a\\0"]'), '5:12 upstreams.a.args[0]: must not contain a NUL character'],
    [
      'the name of a variable',
      inEntry('env: { "A=B": x }'),
      '5:12 upstreams.a.env["A=B"]: not a name that an environment variable can have',
    ],
  ])('%s', (_name, text, expected) => {
    expect(issuesOf(text)).toEqual([expected]);
  });

  test.each(['0.0.0.0', '192.168.0.1', '::', 'example.com', '127.0.0.1.example.com', '127.1x'])(
    'the host "%s" without a proof of who clients are',
    (host) => {
      expect(issuesOf(withVersion(`server: { host: "${host}" }`))).toEqual([
        '2:17 server.host: beyond loopback clients must prove who they are: server.tokens or server.oauth is needed -> ' +
          'make a token: viaduct token create NAME --write; or listen on 127.0.0.1, ::1 or localhost',
      ]);
    },
  );

  const wrongNumber = (column: number, path: string, range: string): string =>
    `2:${column} ${path}: must be a whole number from ${range}`;

  test.each([
    ['server: { port: -1 }', wrongNumber(17, 'server.port', '0 to 65535')],
    ['server: { port: 65536 }', wrongNumber(17, 'server.port', '0 to 65535')],
    ['server: { port: 80.5 }', wrongNumber(17, 'server.port', '0 to 65535')],
    ['server: { port: .nan }', wrongNumber(17, 'server.port', '0 to 65535')],
    ['names: { maxLength: 19 }', wrongNumber(21, 'names.maxLength', '20 to 128')],
    ['names: { maxLength: 129 }', wrongNumber(21, 'names.maxLength', '20 to 128')],
    ['lists: { graceMs: 60001 }', wrongNumber(19, 'lists.graceMs', '0 to 60000')],
    ['limits: { frameBytes: 1023 }', wrongNumber(23, 'limits.frameBytes', '1024 to 1073741824')],
    ['limits: { frameBytes: 1073741825 }', wrongNumber(23, 'limits.frameBytes', '1024 to 1073741824')],
    [
      'upstreams: { a: { command: x, maxConcurrency: 0 } }',
      wrongNumber(47, 'upstreams.a.maxConcurrency', '1 to 10000'),
    ],
    [
      'upstreams: { a: { command: x, maxConcurrency: 10001 } }',
      wrongNumber(47, 'upstreams.a.maxConcurrency', '1 to 10000'),
    ],
    [
      'upstreams: { a: { command: x, timeouts: { callMs: 0 } } }',
      wrongNumber(51, 'upstreams.a.timeouts.callMs', '1 to 86400000'),
    ],
    [
      'upstreams: { a: { command: x, timeouts: { totalMs: 86400001 } } }',
      wrongNumber(52, 'upstreams.a.timeouts.totalMs', '1 to 86400000'),
    ],
  ])('%s', (line, expected) => {
    expect(issuesOf(withVersion(line))).toEqual([expected]);
  });

  test.each(['_a', '-a', 'a.b', 'a b', '', 'ä', 'k'.repeat(41)])('the name "%s" for an upstream', (key) => {
    const jsonPath = /^[\w-]+$/.test(key) ? `upstreams.${key}` : `upstreams["${key}"]`;
    expect(issuesOf(withVersion(`upstreams:\n  "${key}": { command: x }`))).toEqual([
      `3:3 ${jsonPath}: not a name that an upstream can have` +
        ' -> at most 40 letters, digits, _ and -, beginning with a letter or a digit',
    ]);
  });

  test('the entry of a bad name is looked at, too', () => {
    expect(issuesOf(withVersion('upstreams:\n  a.b: { command: "" }')).map((issue) => issue.split(':')[1])).toEqual([
      '3 upstreams["a.b"]',
      '19 upstreams["a.b"].command',
    ]);
  });
});

test('what is wrong in the target of an alias is told where it stands', () => {
  const text = 'schemaVersion: 1\nupstreams:\n  a: &a { command: x, args: y }\n  b: *a\n  c: { command: x, args: *a }';
  expect(issuesOf(text).map((issue) => issue.split(': ')[0])).toEqual([
    '3:29 upstreams.a.args',
    '3:29 upstreams.b.args',
    '5:26 upstreams.c.args',
  ]);
});

test('a byte order mark takes no column', () => {
  expect(issuesOf('\uFEFF[1]')).toEqual(['1:1 must be a mapping (key: value), not a list']);
  expect(issuesOf('\uFEFF\0')).toEqual(['1:1 a NUL character -> is this a text file? Save it as UTF-8']);
});

test('everything is told at once, in the order of the file', () => {
  const text = `log: { level: loud }
upstreams:
  b: { command: x, args: ["\${NOPE}"], foo: 1 }
  a: { command: x, prefix: b }
enabledWorkflows: [none]
a: 1
a: 2
`;
  expect(issuesOf(text).map((issue) => issue.split(' ')[0])).toEqual([
    '1:1',
    '1:15',
    '3:27',
    '3:39',
    '4:28',
    '5:20',
    '6:1',
    '7:1',
  ]);
});
