import { describe, expect, test } from 'vitest';
import { issuesOf } from './parse-text.ts';

/** In an entry that is fine but for these lines, which begin at 5:5. */
const inEntry = (...lines: string[]): string =>
  ['schemaVersion: 1', 'upstreams:', '  a:', '    command: x', ...lines.map((line) => `    ${line}`)].join('\n');

const withVersion = (line: string): string => `schemaVersion: 1\n${line}\n`;

const KEYS = 'known keys: schemaVersion, enabledWorkflows, server, upstreams, workflows, names, lists, limits, log';
const ENTRY_KEYS =
  'known keys: command, args, env, cwd, inheritEnv, prefix, disabled, share, restart, era, timeouts, maxConcurrency, ' +
  'tools, validation, pins, inferHints, instructions, type';

describe('unknown keys', () => {
  test.each([
    ['near a known one', withVersion('upstream: {}'), '2:1 upstream: unknown key -> did you mean "upstreams"?'],
    ['near none', withVersion('foo: 1'), `2:1 foo: unknown key -> ${KEYS}`],
    ['in a section', withVersion('server: { prot: 1 }'), '2:11 server.prot: unknown key -> did you mean "port"?'],
    ['in an entry', inEntry('arg: []'), '5:5 upstreams.a.arg: unknown key -> did you mean "args"?'],
    ['near none of an entry', inEntry('foo: 1'), `5:5 upstreams.a.foo: unknown key -> ${ENTRY_KEYS}`],
    [
      'deeper',
      inEntry('timeouts:', '  callsMs: 1'),
      '6:7 upstreams.a.timeouts.callsMs: unknown key -> did you mean "callMs"?',
    ],
    ['in quotes', withVersion('"a b": 1'), `2:1 ["a b"]: unknown key -> ${KEYS}`],
    [
      'in options of a workflow',
      withVersion('workflows: { xcode-ide: { tab: 1 } }'),
      '2:27 workflows.xcode-ide.tab: unknown key -> did you mean "tabs"?',
    ],
    [
      'in an alternative',
      withVersion('workflows: { xcode-ide: { target: { nam: x } } }'),
      '2:37 workflows.xcode-ide.target.nam: unknown key -> did you mean "name"?',
    ],
    [
      'a workflow',
      withVersion('workflows: { xcode_ide: {} }'),
      '2:14 workflows.xcode_ide: unknown key -> did you mean "xcode-ide"?',
    ],
  ])('%s', (_name, text, expected) => {
    expect(issuesOf(text)).toEqual([expected]);
  });

  test('a key that stands for a required one in another spelling is told once', () => {
    expect(issuesOf('schemaVersion: 1\nupstreams:\n  github:\n    comand: npx')).toEqual([
      '4:5 upstreams.github.comand: unknown key -> did you mean "command"?',
    ]);
  });

  test.each(['mcpServers', 'mcp_servers', 'servers', 'context_servers'])('%s', (key) => {
    expect(issuesOf(withVersion(`${key}: { a: { command: x } }`))).toEqual([
      `2:1 ${key}: this key is called "upstreams" here -> rename it to upstreams; its entries can be pasted as they are`,
    ]);
  });

  test.each([
    ['autoApprove: []', 'not used by Viaduct: remove it'],
    ['alwaysAllow: []', 'not used by Viaduct: remove it'],
    ['description: x', 'not used by Viaduct: remove it'],
    ['timeout: 60', 'the times are under timeouts: { connectMs, listMs, callMs, totalMs }'],
    ['enabled: true', 'use disabled: true or disabled: false'],
    ['enabled_tools: []', 'use tools: { allow: [...] }'],
    ['disabledTools: []', 'use tools: { deny: [...] }'],
    ['envFile: .env', 'put the variables under env'],
  ])("%s of an agent's config", (line, hint) => {
    expect(issuesOf(inEntry(line))).toEqual([`5:5 upstreams.a.${line.split(':')[0]}: unknown key -> ${hint}`]);
  });

  test('what means something in an entry means nothing elsewhere', () => {
    expect(issuesOf(withVersion('description: x'))).toEqual([`2:1 description: unknown key -> ${KEYS}`]);
    expect(issuesOf(withVersion('server: { timeout: 1 }'))).toEqual([
      '2:11 server.timeout: unknown key -> known keys: host, port, allowedHosts, allowedOrigins, nameInResults',
    ]);
  });
});

describe('servers that are no process', () => {
  const STDIO = 'this version reaches stdio servers only';
  const GIVE = 'give a command that speaks MCP on stdin and stdout, or remove the entry';

  test.each([
    ['{ url: "http://x" }', [`2:19 upstreams.a.url: ${STDIO} -> ${GIVE}`]],
    ['{ httpUrl: "http://x" }', [`2:19 upstreams.a.httpUrl: ${STDIO} -> ${GIVE}`]],
    ['{ type: http }', [`2:25 upstreams.a.type: ${STDIO}`]],
    ['{ type: sse, command: x }', [`2:25 upstreams.a.type: ${STDIO}`]],
    [
      '{ type: stdio, url: x, headers: {} }',
      [`2:32 upstreams.a.url: ${STDIO} -> ${GIVE}`, `2:40 upstreams.a.headers: ${STDIO} -> ${GIVE}`],
    ],
  ])('%s: nothing is said of a missing command', (entry, expected) => {
    expect(issuesOf(withVersion(`upstreams: { a: ${entry} }`))).toEqual(expected);
  });
});
