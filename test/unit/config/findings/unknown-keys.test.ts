import { describe, expect, test } from 'vitest';
import { issuesOf } from '../parse-text.ts';

/** In an entry that is fine but for these lines, which begin at 5:5. */
const inEntry = (...lines: string[]): string =>
  ['schemaVersion: 1', 'upstreams:', '  a:', '    command: x', ...lines.map((line) => `    ${line}`)].join('\n');

const withVersion = (line: string): string => `schemaVersion: 1\n${line}\n`;

const KEYS =
  'known keys: schemaVersion, enabledWorkflows, gateway, server, defaults, upstreams, profiles, workflows, database, models, workspace, names, lists, limits, log, audit';
const ENTRY_KEYS =
  'known keys: command, args, env, cwd, inheritEnv, url, headers, tls, auth, ports, workspace, prefix, disabled, share, restart, start, idleStopMs, stateless, era, timeouts, ' +
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
    ['timeout: 60', 'the times are under timeouts: { connectMs, listMs, listPauseMs, callMs, totalMs }'],
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
      '2:11 server.timeout: unknown key -> known keys: host, port, tcp, allowedHosts, allowedOrigins, nameInResults, tokens, ' +
        'oauth, tls, behindProxy, sessionless',
    ]);
  });
});

describe('a command or a url', () => {
  const TYPES = 'must be stdio, http, streamable-http, sse, tcp, unix, websocket, ws or ide-rest, not';

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
    ['{ command: x, tls: {} }', ['2:31 upstreams.a.tls: goes only with a url -> remove it']],
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
    ['{ type: sse, url: "ws://x" }', ['2:30 upstreams.a.url: the url of the type sse begins with http:// or https://']],
    ['{ type: ws }', ['2:14 upstreams.a.url: required, but missing']],
    ['{ type: udp }', [`2:25 upstreams.a.type: ${TYPES} "udp"`]],
    [
      '{ url: "tcp://localhost" }',
      ['2:19 upstreams.a.url: a tcp url has a host and a port -> such as tcp://127.0.0.1:9100'],
    ],
    [
      '{ url: "tcp://localhost:9100/mcp" }',
      ['2:19 upstreams.a.url: a tcp url has a host and a port -> such as tcp://127.0.0.1:9100'],
    ],
    [
      '{ url: "unix://" }',
      ['2:19 upstreams.a.url: a unix url has the path of a socket -> such as unix:///run/server.sock'],
    ],
    [
      '{ url: "tcp://[::1]:9100", headers: {} }',
      ['2:44 upstreams.a.headers: goes only with HTTP or WebSocket -> remove it'],
    ],
    ['{ url: "unix:///x", headers: {} }', ['2:37 upstreams.a.headers: goes only with HTTP or WebSocket -> remove it']],
    [
      '{ url: "http://x", ports: 1 }',
      ['2:36 upstreams.a.ports: an entry has either a url or ports -> remove one of them'],
    ],
    ['{ url: "http://x", workspace: x }', ['2:36 upstreams.a.workspace: goes only with ports -> remove it']],
    ['{ ports: 1, headers: {} }', ['2:29 upstreams.a.headers: goes only with a url -> remove it']],
    ['{ ports: 1, cwd: x }', ['2:29 upstreams.a.cwd: goes only with a command -> remove it']],
    [
      '{ ports: 1, type: http }',
      ['2:29 upstreams.a.type: an entry with ports is of the type ide-rest -> write type: ide-rest'],
    ],
    [
      '{ ports: 9990-9960 }',
      [
        '2:26 upstreams.a.ports: must be ports from 1 to 65535, at most 200 of them -> ' +
          'a range "9960-9990", a list [9960, 9961], or one port',
      ],
    ],
    ['{ type: htttp, url: "http://x" }', [`2:25 upstreams.a.type: ${TYPES} "htttp" -> did you mean "http"?`]],
  ])('%s', (entry, expected) => {
    expect(issuesOf(withVersion(`upstreams: { a: ${entry} }`))).toEqual(expected);
  });
});

describe('a url and its headers', () => {
  const URL_WANTED = 'must be a url that begins with http://, https://, tcp://, unix://, ws:// or wss://';

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
    ['url: "https://x", tls: { cert: a }', ['3:41 upstreams.a.tls.cert: goes only with key -> add key']],
    ['url: "https://x", tls: { key: a }', ['3:40 upstreams.a.tls.key: goes only with cert -> add cert']],
    ['url: "https://x", tls: { passphrase: a }', ['3:47 upstreams.a.tls.passphrase: goes only with key -> add key']],
    [
      'url: "https://x", tls: { verify: no }',
      ['3:43 upstreams.a.tls.verify: must be true or false, not text -> write true or false, without quotes'],
    ],
    [
      'url: "https://x", tls: { rejectUnauthorized: false }',
      [
        '3:35 upstreams.a.tls.rejectUnauthorized: unknown key -> known keys: ca, cert, key, passphrase, serverName, verify',
      ],
    ],
    ['url: "https://x", tls: { serverName: "a b" }', ['3:47 upstreams.a.tls.serverName: must be the name of a host']],
    [
      'url: "http://x", tls: { ca: a }',
      ['3:27 upstreams.a.tls: goes only with a url that begins with https:// or wss:// -> remove it'],
    ],
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
