import { describe, expect, test } from 'vitest';
import { issuesOf } from './parse-text.ts';

/** In an entry that is fine but for these lines, which begin at 5:5. */
const inEntry = (...lines: string[]): string =>
  ['schemaVersion: 1', 'upstreams:', '  a:', '    command: x', ...lines.map((line) => `    ${line}`)].join('\n');

const withVersion = (line: string): string => `schemaVersion: 1\n${line}\n`;

const KEYS =
  'known keys: schemaVersion, enabledWorkflows, server, upstreams, profiles, workflows, database, names, lists, limits, log';
const ENTRY_KEYS =
  'known keys: command, args, env, cwd, inheritEnv, url, headers, prefix, disabled, share, restart, era, timeouts, ' +
  'maxConcurrency, tools, validation, pins, inferHints, instructions, type';

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
      '2:11 server.timeout: unknown key -> known keys: host, port, allowedHosts, allowedOrigins, nameInResults, tokens, ' +
        'oauth, tls, behindProxy',
    ]);
  });
});

describe('a command or a url', () => {
  const TYPES = 'must be stdio, http or streamable-http, not';

  test.each([
    ['{}', ['2:14 upstreams.a.command: required, but missing']],
    ['{ type: http }', ['2:14 upstreams.a.url: required, but missing']],
    ['{ comand: x }', ['2:19 upstreams.a.comand: unknown key -> did you mean "command"?']],
    ['{ URL: "http://x" }', ['2:19 upstreams.a.URL: unknown key -> did you mean "url"?']],
    ['{ httpUrl: "http://x" }', ['2:19 upstreams.a.httpUrl: unknown key -> it is called url here']],
    ['{ serverUrl: "http://x" }', ['2:19 upstreams.a.serverUrl: unknown key -> it is called url here']],
    [
      '{ command: x, url: "http://x" }',
      ['2:31 upstreams.a.url: an entry has either a command or a url -> remove one of them'],
    ],
    ['{ command: x, headers: {} }', ['2:31 upstreams.a.headers: goes only with a url -> remove it']],
    [
      '{ url: "http://x", args: [], env: {}, cwd: x, inheritEnv: true }',
      [
        '2:36 upstreams.a.args: goes only with a command -> remove it',
        '2:46 upstreams.a.env: goes only with a command -> remove it',
        '2:55 upstreams.a.cwd: goes only with a command -> remove it',
        '2:63 upstreams.a.inheritEnv: goes only with a command -> remove it',
      ],
    ],
    [
      '{ command: x, type: http }',
      ['2:31 upstreams.a.type: an entry with a command is of the type stdio -> remove it'],
    ],
    [
      '{ url: "http://x", type: stdio }',
      ['2:36 upstreams.a.type: an entry of the type stdio has a command -> remove it'],
    ],
    [
      '{ type: sse, url: "http://x" }',
      [
        `2:25 upstreams.a.type: ${TYPES} "sse" -> ` +
          'this version does not reach servers that speak HTTP with SSE only (2024-11-05)',
      ],
    ],
    ['{ type: ws }', [`2:25 upstreams.a.type: ${TYPES} "ws"`]],
    ['{ type: htttp, url: "http://x" }', [`2:25 upstreams.a.type: ${TYPES} "htttp" -> did you mean "http"?`]],
  ])('%s', (entry, expected) => {
    expect(issuesOf(withVersion(`upstreams: { a: ${entry} }`))).toEqual(expected);
  });
});

describe('a url and its headers', () => {
  const URL_WANTED = 'must be a url that begins with http:// or https://';

  test.each([
    ['url: "example.com/mcp"', [`3:15 upstreams.a.url: ${URL_WANTED}`]],
    ['url: "ftp://example.com/"', [`3:15 upstreams.a.url: ${URL_WANTED}`]],
    ['url: "http://"', [`3:15 upstreams.a.url: ${URL_WANTED}`]],
    [
      'url: "https://me:secret@example.com/"',
      [
        '3:15 upstreams.a.url: must not have a user or password in it -> ' +
          'put them into a header: headers: { Authorization: "Basic ${CREDENTIALS}" }',
      ],
    ],
    ['url: "http://x", headers: { "a b": x }', ['3:38 upstreams.a.headers["a b"]: not a name that a header can have']],
    ['url: "http://x", headers: { Host: x }', ['3:38 upstreams.a.headers.Host: this header is set by Viaduct itself']],
    [
      'url: "http://x", headers: { mcp-session-id: x }',
      ['3:38 upstreams.a.headers.mcp-session-id: this header is set by Viaduct itself'],
    ],
    ['url: "http://x", headers: { A: "ü" }', ['3:41 upstreams.a.headers.A: must have printable ASCII characters only']],
    [
      'url: "http://x", headers: { A: "${NOPE}" }',
      [
        '3:41 upstreams.a.headers.A: the variable NOPE is not set -> ' +
          'set NOPE where Viaduct is started, or give a default: ${NOPE:-value}',
      ],
    ],
  ])('%s', (entry, expected) => {
    expect(issuesOf(`schemaVersion: 1\nupstreams:\n  a:   { ${entry} }`)).toEqual(expected);
  });
});
