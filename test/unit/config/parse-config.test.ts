// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { configKey } from '../../../src/core/settings/config-key.ts';
import { OPTIONS, parse } from './parse-text.ts';

describe('defaults', () => {
  test('of a file that says only its version', () => {
    expect(parse('schemaVersion: 1')).toEqual({
      schemaVersion: 1,
      enabledWorkflows: [],
      gateway: { mode: 'shared', idleExitMs: 300_000, maxLingerMs: 86_400_000 },
      server: {
        host: '127.0.0.1',
        port: 31415,
        allowedHosts: [],
        allowedOrigins: [],
        nameInResults: true,
        behindProxy: false,
      },
      upstreams: [],
      disabled: [],
      broken: [],
      order: [],
      profiles: {},
      workflows: {},
      policies: {},
      models: { backends: {} },
      workspace: {
        roots: [],
        clientFolders: [],
        unprotected: [],
        undo: { changes: 1000, megabytes: 256, fileMegabytes: 64 },
      },
      names: { maxLength: 64 },
      lists: { graceMs: 800 },
      limits: {
        frameBytes: 67108864,
        bodyBytes: 33554432,
        calls: 2000,
        callsPerClient: 256,
        requestsPerMinute: 0,
        connectionsPerAddress: 400,
      },
      log: { level: 'info' },
      audit: { enabled: true, arguments: 'digest', maxMegabytes: 10, files: 5, keepDays: 30 },
      secrets: [],
      variables: [],
    });
  });

  test('of an entry that says only its command', () => {
    expect(parse('{ schemaVersion: 1, upstreams: { files: { command: node } } }').upstreams).toEqual([
      {
        key: 'files',
        type: 'stdio',
        command: 'node',
        args: [],
        env: {},
        cwd: '/home/me/project',
        inheritEnv: false,
        prefix: 'files',
        share: 'auto',
        restart: 'always',
        idleStopMs: 600_000,
        stateless: false,
        era: 'auto',
        timeouts: { connectMs: 30000, listMs: 15000, listPauseMs: 30000, callMs: 60000, totalMs: 600000 },
        maxConcurrency: 64,
        tools: { allow: ['*'], deny: [] },
        validation: 'warn',
        pins: 'warn',
        inferHints: false,
        instructions: false,
      },
    ]);
  });

  test('of an entry that says only its url', () => {
    const [entry] = parse('{ schemaVersion: 1, upstreams: { files: { url: "https://example.com/mcp" } } }').upstreams;
    expect(entry).toMatchObject({
      key: 'files',
      url: 'https://example.com/mcp',
      headers: {},
      prefix: 'files',
      era: 'auto',
    });
    expect(Object.keys(entry!)).not.toContain('command');
  });

  test.each([
    ['{ url: "http://x/mcp" }', { type: 'http', isTypeGuessed: true }],
    ['{ url: "http://x/mcp", type: streamable-http }', { type: 'http', isTypeGuessed: false }],
    ['{ url: "https://x/sse", type: sse }', { type: 'sse' }],
    ['{ url: "tcp://[::1]:9100" }', { type: 'tcp', url: 'tcp://[::1]:9100' }],
    ['{ url: "wss://x/mcp" }', { type: 'websocket' }],
    ['{ url: "ws://x/mcp", type: ws, headers: { A: b } }', { type: 'websocket', headers: { A: 'b' } }],
    ['{ url: "unix:///run/a b.sock" }', { type: 'unix', url: 'unix:///run/a b.sock' }],
    ['{ url: "unix://run/a.sock" }', { type: 'unix', url: 'unix:///home/me/project/run/a.sock' }],
    ['{ url: "unix:./a.sock" }', { type: 'unix', url: 'unix:///home/me/project/a.sock' }],
    ['{ url: "unix://~/run/a%20b.sock" }', { type: 'unix', url: 'unix:///home/me/run/a%20b.sock' }],
  ])('how a server is reached: %s', (entry, expected) => {
    const config = parse(`{ schemaVersion: 1, upstreams: { a: ${entry} } }`);
    expect(config.upstreams[0]).toMatchObject(expected);
  });

  test('a url that lacks a variable is kept in an entry that is disabled', () => {
    const { disabled } = parse(
      '{ schemaVersion: 1, upstreams: { a: { url: "https://${NOPE}/mcp", disabled: true } } }',
    );
    expect(disabled[0]?.url).toBe('https://${NOPE}/mcp');
  });

  test('sections of which only a part is written keep the defaults of the rest', () => {
    const config = parse(`
      schemaVersion: 1
      server: { port: 0 }
      upstreams: { a: { command: x, timeouts: { callMs: 5 }, tools: { deny: ['rm*'] } } }
    `);
    expect(config.server).toMatchObject({ host: '127.0.0.1', port: 0 });
    expect(config.upstreams[0]).toMatchObject({
      timeouts: { connectMs: 30000, callMs: 5 },
      tools: { allow: ['*'], deny: ['rm*'] },
    });
  });

  test('a section with nothing in it counts as not written', () => {
    const text = `
schemaVersion: 1
enabledWorkflows:
server:
upstreams:
  a:
    command: x
    args:
    env:
    tools:
    timeouts:
workflows:
  xcode-ide:
names:
lists:
limits:
log:
`;
    expect(parse(text)).toEqual(parse('{ schemaVersion: 1, upstreams: { a: { command: x } } }'));
  });
});

describe('values', () => {
  test('every key of an entry is taken', () => {
    const text = `
schemaVersion: 1
upstreams:
  a:
    command: ./run
    args: [one, two]
    env: { NAME: value }
    cwd: sub
    inheritEnv: true
    prefix: p
    share: session
    restart: on-demand
    start: lazy
    idleStopMs: 5000
    stateless: true
    era: 2026-07-28
    timeouts: { connectMs: 1, listMs: 2, listPauseMs: 4, callMs: 3, totalMs: 86400000 }
    maxConcurrency: 10000
    tools: { allow: ['get_*'], deny: [get_secret] }
    validation: off
    pins: enforce
    inferHints: true
    instructions: true
`;
    expect(parse(text).upstreams).toEqual([
      {
        key: 'a',
        type: 'stdio',
        command: './run',
        args: ['one', 'two'],
        env: { NAME: 'value' },
        cwd: '/home/me/project/sub',
        inheritEnv: true,
        prefix: 'p',
        share: 'session',
        restart: 'on-demand',
        start: 'lazy',
        idleStopMs: 5_000,
        stateless: true,
        era: '2026-07-28',
        timeouts: { connectMs: 1, listMs: 2, listPauseMs: 4, callMs: 3, totalMs: 86400000 },
        maxConcurrency: 10000,
        tools: { allow: ['get_*'], deny: ['get_secret'] },
        validation: 'off',
        pins: 'enforce',
        inferHints: true,
        instructions: true,
      },
    ]);
  });

  test('every other key is taken', () => {
    const text = `
schemaVersion: 1
server: { host: localhost, port: 65535, allowedHosts: [h], allowedOrigins: [o] }
names: { maxLength: 128 }
lists: { graceMs: 60000 }
limits: { frameBytes: 1073741824 }
log: { level: silent }
`;
    expect(parse(text)).toMatchObject({
      server: { host: 'localhost', port: 65535, allowedHosts: ['h'], allowedOrigins: ['o'], nameInResults: true },
      names: { maxLength: 128 },
      lists: { graceMs: 60000 },
      limits: { frameBytes: 1073741824, calls: 2000, callsPerClient: 256 },
      log: { level: 'silent' },
    });
  });

  test.each(['127.0.0.1', '127.255.0.9', '::1', 'localhost'])('the host %s is loopback', (host) => {
    expect(parse(`{ schemaVersion: 1, server: { host: "${host}" } }`).server.host).toBe(host);
  });

  test('scalars in args and env become the text that the file has', () => {
    const text = `
schemaVersion: 1
upstreams:
  a:
    command: x
    args: [8080, 1.10, 0x1F, 1e3, true, off, "quoted", .5]
    env: { PORT: 8080, VERSION: 1.20, DEBUG: False, ON: on, BIG: 12345678901234567890 }
`;
    expect(parse(text).upstreams[0]).toMatchObject({
      args: ['8080', '1.10', '0x1F', '1e3', 'true', 'off', 'quoted', '.5'],
      env: { PORT: '8080', VERSION: '1.20', DEBUG: 'False', ON: 'on', BIG: '12345678901234567890' },
    });
  });

  test('an alias brings its text along', () => {
    const text = '{ schemaVersion: 1, upstreams: { a: { command: x, args: [&port 1.10, *port], env: { P: *port } } } }';
    expect(parse(text).upstreams[0]).toMatchObject({ args: ['1.10', '1.10'], env: { P: '1.10' } });
  });

  test('a key can have an anchor, and << in quotes is a name like others', () => {
    const text = '{ schemaVersion: 1, upstreams: { a: { &key command: x, args: [*key], env: { "<<": y } } } }';
    expect(parse(text).upstreams[0]).toMatchObject({ args: ['command'], env: { '<<': 'y' } });
  });

  test('an alias means the last anchor of that name before it, also when it is read through another alias', () => {
    const text = `
schemaVersion: 1
upstreams:
  a: { command: &c first, env: &e { X: *c } }
  b: { command: &c second, env: *e, args: [*c] }
`;
    expect(parse(text).upstreams).toMatchObject([
      { command: 'first', env: { X: 'first' } },
      { command: 'second', env: { X: 'first' }, args: ['second'] },
    ]);
  });

  test('upstreams keep the order of the file, numbers among them', () => {
    const text =
      '{ schemaVersion: 1, upstreams: { zed: { command: x }, 7: { command: x }, a: { command: x }, 1: { command: x } } }';
    expect(parse(text).upstreams.map(({ key }) => key)).toEqual(['zed', '7', 'a', '1']);
  });

  test.each([
    ['a: { command: x }', 'a'],
    ['a: { command: x, prefix: b }', 'b'],
    ['a: { command: x, prefix: "" }', ''],
  ])('the prefix of %s', (entry, prefix) => {
    expect(parse(`{ schemaVersion: 1, upstreams: { ${entry} } }`).upstreams).toMatchObject([{ key: 'a', prefix }]);
  });

  test('disabled entries are apart', () => {
    const text =
      '{ schemaVersion: 1, upstreams: { a: { command: x, disabled: true }, b: { command: y, disabled: false } } }';
    const { upstreams, disabled } = parse(text);
    expect([upstreams, disabled]).toMatchObject([[{ key: 'b' }], [{ key: 'a', command: 'x' }]]);
    expect(disabled[0]).not.toHaveProperty('disabled');
  });

  test('type: stdio is accepted and gone', () => {
    const [entry] = parse('{ schemaVersion: 1, upstreams: { a: { command: x, type: stdio } } }').upstreams;
    expect(entry).toEqual(parse('{ schemaVersion: 1, upstreams: { a: { command: x } } }').upstreams[0]);
  });

  test('a workflow that is named twice is on once', () => {
    expect(parse('{ schemaVersion: 1, enabledWorkflows: [checkpoints, checkpoints] }').enabledWorkflows).toEqual([
      'checkpoints',
    ]);
  });

  test('a byte order mark and Windows line ends are accepted', () => {
    expect(parse('\uFEFFschemaVersion: 1\r\nlog:\r\n  level: debug\r\n').log.level).toBe('debug');
  });

  test('JSON is YAML, tabs and all', () => {
    expect(parse('{\n\t"schemaVersion": 1,\n\t"log": {\n\t\t"level": "debug"\n\t}\n}').log.level).toBe('debug');
  });
});

describe('workflows', () => {
  const DEFAULTS = { tabs: 3, mode: 'safe', target: 'app' };

  test('one that is on gets the defaults of its options', () => {
    expect(parse('{ schemaVersion: 1, enabledWorkflows: [xcode-ide] }').workflows).toEqual({ 'xcode-ide': DEFAULTS });
  });

  test('one that is off and has no section gets none', () => {
    expect(parse('{ schemaVersion: 1, enabledWorkflows: [checkpoints] }').workflows).toEqual({});
  });

  test('its section is read by its own schema', () => {
    const text = '{ schemaVersion: 1, enabledWorkflows: [xcode-ide], workflows: { xcode-ide: { tabs: 9 } } }';
    expect(parse(text).workflows).toEqual({ 'xcode-ide': { ...DEFAULTS, tabs: 9 } });
  });
});

describe('folders', () => {
  const cwdOf = (cwd: string, env = OPTIONS.env): string | undefined =>
    parse(`{ schemaVersion: 1, upstreams: { a: { command: x, cwd: ${JSON.stringify(cwd)} } } }`, { env }).upstreams[0]
      ?.cwd;

  test.each([
    ['./sub', '/home/me/project/sub'],
    ['sub/../other', '/home/me/project/other'],
    ['..', '/home/me'],
    ['/srv/x', '/srv/x'],
    ['~', '/home/me'],
    ['~/code', '/home/me/code'],
    ['~other/code', '/home/me/project/~other/code'],
    ['${HOME}/x', '/home/me/x'],
    ['${VIADUCT_CONFIG_DIR}/x', '/home/me/project/x'],
    ['${NOPE:-~/x}', '/home/me/x'],
  ])('cwd: %s', (written, expected) => {
    expect(cwdOf(written)).toBe(expected);
  });

  test('on Windows the home folder has another name', () => {
    expect(cwdOf('~/code', { USERPROFILE: '/users/me' })).toBe('/users/me/code');
  });
});

describe('variables', () => {
  test('are replaced in command, args, env and cwd, and nowhere else', () => {
    const text = `
schemaVersion: 1
server: { allowedHosts: ["\${TOKEN}"] }
upstreams:
  a:
    command: \${TOKEN}/run
    args: ["--token=\${TOKEN}", "$\${TOKEN}"]
    env: { "\${TOKEN}": "\${TOKEN}" }
    cwd: /\${TOKEN}
    tools: { allow: ["\${TOKEN}"] }
`;
    const config = parse(text);
    expect(config.server.allowedHosts).toEqual(['${TOKEN}']);
    expect(config.upstreams[0]).toMatchObject({
      command: 'tok-123456/run',
      args: ['--token=tok-123456', '${TOKEN}'],
      env: { '${TOKEN}': 'tok-123456' },
      cwd: '/tok-123456',
      tools: { allow: ['${TOKEN}'] },
    });
  });

  test('the folder of the config wins over a variable of that name', () => {
    const text = '{ schemaVersion: 1, upstreams: { a: { command: "${VIADUCT_CONFIG_DIR}/run" } } }';
    const { upstreams } = parse(text, { env: { VIADUCT_CONFIG_DIR: '/elsewhere' } });
    expect(upstreams[0]?.command).toBe('/home/me/project/run');
  });

  test('one that is not set is left alone in an entry that is disabled', () => {
    const text = '{ schemaVersion: 1, upstreams: { a: { command: x, disabled: true, env: { T: "${NOPE}" } } } }';
    expect(parse(text).disabled[0]?.env).toEqual({ T: '${NOPE}' });
  });
});

test('files of tls are seen from the folder of the config; PEM itself stays', () => {
  const tls = '{ ca: ca.pem, cert: ~/c.pem, key: "${KEY}", passphrase: 12345678 }';
  const key = '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----';
  const { upstreams, secrets } = parse(`schemaVersion: 1\nupstreams: { a: { url: "https://x", tls: ${tls} } }`, {
    env: { HOME: '/home/me', KEY: key },
  });
  const expected = { ca: '/home/me/project/ca.pem', cert: '/home/me/c.pem', key, passphrase: '12345678', verify: true };
  expect(upstreams[0]).toMatchObject({ tls: expected });
  expect(secrets).toEqual([key, '12345678']);
});

describe('secrets', () => {
  const secretsOf = (entry: string, env: Record<string, string> = {}): readonly string[] =>
    parse(`schemaVersion: 1\nupstreams:\n  a: ${entry}`, { env: { HOME: '/home/me', ...env } }).secrets;

  test.each([
    ['a literal in env', '{ command: x, env: { KEY: literal-key } }', ['literal-key']],
    ['a variable in args', '{ command: x, args: ["--key=${KEY}"] }', ['key-value']],
    [
      'a variable in env, and what it is part of',
      '{ command: x, env: { A: "Bearer ${KEY}" } }',
      ['Bearer key-value', 'key-value'],
    ],
    ['a literal in headers', '{ url: "http://x", headers: { A: literal-key } }', ['literal-key']],
    [
      'a literal in headers, with and without its scheme',
      '{ url: "http://x", headers: { A: "Bearer literal-key" } }',
      ['Bearer literal-key', 'literal-key'],
    ],
    ['what opens a key', '{ url: "https://x", tls: { cert: a, key: b, passphrase: swordfish } }', ['swordfish']],
    ['a variable in a url', '{ url: "http://x/?key=${KEY}" }', ['key-value']],
    ['of a disabled entry too', '{ command: x, disabled: true, env: { KEY: literal-key } }', ['literal-key']],
    ['each once', '{ command: x, args: ["${KEY}", "${KEY}"], env: { A: "${KEY}" } }', ['key-value']],
    ['not what is short', '{ command: x, args: ["${SHORT}"], env: { A: "12345" } }', []],
    ['not the home folder', '{ command: "${HOME}/x", env: { WHERE: "${HOME}" } }', []],
    ['not the folder of the config', '{ command: "${VIADUCT_CONFIG_DIR}", env: { D: "${VIADUCT_CONFIG_DIR}" } }', []],
    ['not paths', '{ command: "${NODE_PATH}", env: { PATH: /usr/bin:/bin, CACHE_DIR: /var/cache } }', []],
    ['not a plain setting in env', '{ command: x, env: { ORG: github, TZ: Europe/Berlin, LEVEL: "verbose" } }', []],
    ['a plain word under the name of a secret', '{ command: x, env: { DB_PASS: sunshine } }', ['sunshine']],
    ['what is no plain word, whatever its name', '{ command: x, env: { ORG: "swordfish-4711" } }', ['swordfish-4711']],
    ['a plain word that comes from a variable', '{ command: x, env: { ORG: "${WORD}" } }', ['github']],
    ['not a default', '{ command: x, args: ["${NOPE:-default-value}"] }', []],
  ])('%s', (_name, entry, expected) => {
    expect(secretsOf(entry, { KEY: 'key-value', SHORT: '12345', NODE_PATH: '/usr/lib/node', WORD: 'github' })).toEqual(
      expected,
    );
  });

  test('what clients of a workflow must show', () => {
    const token = configKey(z.string(), { meaning: 'A token', secret: 'text' });
    const workflowOptions = { live: z.strictObject({ token }) };
    const text = 'schemaVersion: 1\nworkflows: { live: { token: literal-token } }';
    expect(parse(text, { workflowOptions }).secrets).toEqual(['literal-token']);
  });

  test.each([
    [{ HTTPS_PROXY: 'http://me:sword%21fish@proxy:3128' }, ['sword%21fish', 'sword!fish']],
    [{ all_proxy: 'me:100%fish@proxy:3128' }, ['100%fish']],
    [{ http_proxy: 'http://proxy:3128', HTTP_PROXY: 'http://me@proxy:3128' }, []],
  ])('passwords of proxies in the environment: %o', (env, expected) => {
    expect(secretsOf('{ command: x }', env)).toEqual(expected);
  });

  test('come the longest first', () => {
    expect(secretsOf('{ command: x, env: { A_KEY: secret, B_KEY: secret-longer, C_KEY: secret-long } }')).toEqual([
      'secret-longer',
      'secret-long',
      'secret',
    ]);
  });
});
