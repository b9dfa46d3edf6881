// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { describe, expect, test } from 'vitest';
import { issuesOf } from '../parse-text.ts';

/** In an entry that is fine but for these lines, which begin at 5:5. */
const inEntry = (...lines: string[]): string =>
  ['schemaVersion: 1', 'upstreams:', '  a:', '    command: x', ...lines.map((line) => `    ${line}`)].join('\n');

const withVersion = (line: string): string => `schemaVersion: 1\n${line}\n`;

const ENTRY_KEYS =
  'known keys: command, args, env, cwd, inheritEnv, url, headers, tls, auth, ports, workspace, prefix, disabled, share, restart, start, idleStopMs, stateless, era, timeouts, ' +
  'maxConcurrency, tools, validation, pins, inferHints, instructions, type';

describe('variables', () => {
  const unset = 'set NOPE where Viaduct is started, or give a default: ${NOPE:-value}';
  const literal = 'for a literal "${" write "$${"; one reference cannot contain another';

  test.each([
    [
      'not set, in the command',
      withVersion('upstreams: { a: { command: "${NOPE}" } }'),
      `2:28 upstreams.a.command: the variable NOPE is not set -> ${unset}`,
    ],
    [
      'not set, in args',
      inEntry('args: [x, "a ${NOPE}"]'),
      `5:15 upstreams.a.args[1]: the variable NOPE is not set -> ${unset}`,
    ],
    [
      'not set, in env',
      inEntry('env: { A: "${NOPE}" }'),
      `5:15 upstreams.a.env.A: the variable NOPE is not set -> ${unset}`,
    ],
    ['not set, in cwd', inEntry('cwd: ${NOPE}'), `5:10 upstreams.a.cwd: the variable NOPE is not set -> ${unset}`],
    [
      'in the form of an editor',
      inEntry('env: { A: "${env:KEY}" }'),
      '5:15 upstreams.a.env.A: a "${…}" that is not a variable -> write ${KEY}',
    ],
    [
      'with odd characters',
      inEntry('cwd: ${a-b}'),
      `5:10 upstreams.a.cwd: a "\${…}" that is not a variable -> a variable is \${NAME} or \${NAME:-default}; ${literal}`,
    ],
    ['that does not end', inEntry('cwd: ${HOME'), `5:10 upstreams.a.cwd: a "\${" without its "}" -> ${literal}`],
  ])('%s', (_name, text, expected) => {
    expect(issuesOf(text)).toEqual([expected]);
  });
});

describe('prefixes', () => {
  const upstreams = (...entries: string[]): string =>
    withVersion(['upstreams:', ...entries.map((entry) => `  ${entry}`)].join('\n'));

  test.each([
    [
      'two that are the same',
      ['a: { command: x, prefix: p }', 'b: { command: x, prefix: p }'],
      '4:28 upstreams.b.prefix: upstreams.a (line 3) has the prefix "p" already -> give one of them another prefix',
    ],
    [
      'one that is the key of another',
      ['a: { command: x, prefix: b }', 'b: { command: x }'],
      '4:3 upstreams.b: upstreams.a (line 3) has the prefix "b" already -> give one of them another prefix',
    ],
    [
      'two that are empty',
      ['a: { command: x, prefix: "" }', 'b: { command: x, prefix: "" }'],
      '4:28 upstreams.b.prefix: upstreams.a (line 3) has the empty prefix already -> only one entry can have it',
    ],
    [
      'the first in the file keeps it, whatever its key',
      ['z: { command: x, prefix: p }', '1: { command: x, prefix: p }'],
      '4:28 upstreams.1.prefix: upstreams.z (line 3) has the prefix "p" already -> give one of them another prefix',
    ],
    [
      'a reserved one',
      ['a: { command: x, prefix: xcode_tools }'],
      '3:28 upstreams.a.prefix: the prefix "xcode_tools" is reserved for workflow xcode-ide -> give this entry another prefix',
    ],
    [
      'a key that is a reserved one',
      ['xcode_tools: { command: x }'],
      '3:3 upstreams.xcode_tools: the prefix "xcode_tools" is reserved for workflow xcode-ide -> give this entry another prefix',
    ],
  ])('%s', (_name, entries, expected) => {
    expect(issuesOf(upstreams(...entries))).toEqual([expected]);
  });

  test('an entry that is disabled takes none', () => {
    const text = upstreams('a: { command: x, prefix: p, disabled: true }', 'b: { command: x, prefix: p, foo: 1 }');
    expect(issuesOf(text)).toEqual([`4:31 upstreams.b.foo: unknown key -> ${ENTRY_KEYS}`]);
  });

  test('they are compared though other things are wrong', () => {
    const text = upstreams('a: { prefix: p }', 'b: { command: x, prefix: p }');
    expect(issuesOf(text)).toEqual([
      '3:3 upstreams.a.command: required, but missing',
      '4:28 upstreams.b.prefix: upstreams.a (line 3) has the prefix "p" already -> give one of them another prefix',
    ]);
  });
});
