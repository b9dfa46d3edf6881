import { describe, expect, test } from 'vitest';
import { readServers } from '../../../../src/commands/server-lists/agent-lists.ts';
import { planImport } from '../../../../src/commands/server-lists/import-plan.ts';
import { loadOptions } from '../../../../src/gateway/settings/load-settings.ts';

const OPTIONS = {
  ...loadOptions({ HOME: '/home/me', TOKEN: 'from-outside' }),
  configPath: '/home/me/viaduct.yaml',
  ownScript: undefined,
  present: {},
  keepSecrets: false,
};

interface Facts {
  readonly platform?: NodeJS.Platform;
  readonly files?: readonly string[];
  readonly root?: string;
}

/** The only entry of an agent's file, as it would stand in our config. */
function imported(file: unknown, { platform = 'linux', files = [], root }: Facts = {}) {
  const { servers, faulty } = readServers(JSON.stringify(file), {
    file: '/home/me/mcp.json',
    hasReferences: true,
    hasBareReferences: true,
    root,
    cwd: '/home/me/work',
    configFolder: '/home/me',
    system: { platform, isFile: (path) => files.includes(path) },
  });
  expect(faulty).toEqual([]);
  const { entries } = planImport(servers, OPTIONS);
  expect(entries).toHaveLength(1);
  return entries[0]!;
}

type Row = readonly [shape: string, server: unknown, value: unknown, told: readonly string[], facts?: Facts];

const ROWS: readonly Row[] = [
  // Nulls mean that nothing is there.
  ['null members of a nested command', { command: { path: 'x', args: null, env: null } }, { command: 'x' }, []],
  [
    'null values of a nested command',
    { command: { path: 'x', args: ['a'], env: { A: null, B: '1' } } },
    { command: 'x', args: ['a'], env: { B: '1' } },
    [],
  ],
  ['null members', { command: 'x', args: null, env: null, cwd: null, url: null, tools: null }, { command: 'x' }, []],
  ['null arguments', { command: 'x', args: ['a', null] }, { command: 'x', args: ['a'] }, ['args that are null']],
  [
    'null in a login',
    { url: 'https://x.example.com/mcp', oauth: { clientId: null } },
    { url: 'https://x.example.com/mcp' },
    [],
  ],

  // Texts where lists are meant, and lists where mappings are.
  [
    'args as text',
    { command: 'npx', args: '-y "@x/y z"' },
    { command: 'npx', args: ['-y', '@x/y z'] },
    ['2 arguments'],
  ],
  ['args as one word', { command: 'npx', args: 'x' }, { command: 'npx', args: ['x'] }, []],
  ['args as empty text', { command: 'npx', args: '' }, { command: 'npx' }, []],
  [
    'env as a list of NAME=value',
    { command: 'x', env: ['MODE=a=b', 'TOKEN', 'SPACE= c'] },
    { command: 'x', env: { MODE: 'a=b', TOKEN: '${TOKEN}', SPACE: ' c' } },
    [],
  ],
  [
    'env as a list of names and values',
    { command: 'x', env: [{ name: 'PORT', value: 80 }] },
    { command: 'x', env: { PORT: '80' } },
    [],
  ],
  [
    'headers as a list',
    { url: 'https://x.example.com/mcp', headers: ['X-A: b: c', { name: 'X-D', value: 'e' }] },
    { url: 'https://x.example.com/mcp', headers: { 'X-A': 'b: c', 'X-D': 'e' } },
    [],
  ],

  // A command and a url.
  [
    'a command and a url',
    { command: 'x', url: 'https://x.example.com/mcp', headers: { A: 'b' } },
    { command: 'x' },
    ['the command is used', 'not used here: "url"', 'not used here: "headers"'],
  ],
  [
    'a command and a url of which the type means the url',
    { type: 'http', command: 'x', args: ['a'], env: { A: 'b' }, url: 'https://x.example.com/mcp' },
    { url: 'https://x.example.com/mcp' },
    ['the url is used', 'not used here: "command"', 'not used here: "args"', 'not used here: "env"'],
  ],
  [
    'a url with the type under another name',
    { transport: 'sse', url: 'https://x.example.com/sse' },
    { url: 'https://x.example.com/sse', type: 'sse' },
    [],
  ],
  ['a command with an empty url', { command: 'x', url: '', headers: {} }, { command: 'x' }, []],

  // A whole command line in `command`.
  [
    'a command line',
    { command: 'npx -y @x/y', args: ['--a b'] },
    { command: 'npx', args: ['-y', '@x/y', '--a b'] },
    ['taken as the program "npx" with 3 arguments'],
  ],
  [
    'a command line with a variable in front',
    { command: 'MODE=fast uvx x' },
    { command: 'uvx', args: ['x'], env: { MODE: 'fast' } },
    ['whole line'],
  ],
  [
    'a command line with references',
    { command: 'node ${env:HOME}/x.js' },
    { command: 'node', args: ['${HOME}/x.js'] },
    ['whole line'],
  ],
  [
    'a path with spaces',
    { command: '/opt/my server/x' },
    { command: '/opt/my server/x' },
    [],
    { files: ['/opt/my server/x'] },
  ],
  [
    'a path with arguments',
    { command: '/opt/x --stdio' },
    { command: '/opt/x', args: ['--stdio'] },
    ['whole line'],
    { files: ['/opt/x'] },
  ],
  [
    'a path that may be either',
    { command: '/opt/my server/x' },
    { command: '/opt/my server/x' },
    ['taken as the path of one program'],
  ],
  ['spaces around a command', { command: ' npx ' }, { command: 'npx' }, []],

  // Commands and folders of other systems.
  [
    'cmd /c',
    { command: 'cmd', args: ['/c', 'npx', '-y', 'x'] },
    { command: 'npx', args: ['-y', 'x'] },
    ['"cmd /c" is left out'],
  ],
  [
    'cmd.exe /C with a line',
    { command: String.raw`C:\Windows\System32\cmd.exe`, args: ['/C', 'npx -y x'] },
    { command: 'npx', args: ['-y', 'x'] },
    ['left out'],
  ],
  ['cmd /c as a line', { command: 'cmd /c npx x' }, { command: 'npx', args: ['x'] }, ['whole line', 'left out']],
  [
    'cmd /c on Windows',
    { command: 'cmd', args: ['/c', 'npx'] },
    { command: 'cmd', args: ['/c', 'npx'] },
    [],
    { platform: 'win32' },
  ],
  ['npx.cmd', { command: 'npx.cmd', args: ['x'] }, { command: 'npx', args: ['x'] }, ['called "npx" on this system']],
  ['npx.cmd on Windows', { command: 'npx.cmd' }, { command: 'npx.cmd' }, [], { platform: 'win32' }],
  [
    'a program with a drive',
    { command: String.raw`C:\Program Files\nodejs\node.exe`, args: ['x.js'] },
    { command: String.raw`C:\Program Files\nodejs\node.exe`, args: ['x.js'], disabled: true },
    ['command is a path of Windows'],
  ],
  [
    'an argument with a drive',
    { command: 'npx', args: ['x', String.raw`C:\Users\me`] },
    { command: 'npx', args: ['x', String.raw`C:\Users\me`], disabled: true },
    ['args[1] is a path of Windows'],
  ],
  [
    'a variable with a path of Windows',
    { command: 'x', env: { DIR: String.raw`%APPDATA%\x` } },
    { command: 'x', env: { DIR: String.raw`%APPDATA%\x` }, disabled: true },
    ['env.DIR is a path of Windows'],
  ],
  [
    'a folder with a drive, in a project',
    { command: 'x', cwd: 'C:/work' },
    { command: 'x', cwd: 'C:/work', disabled: true },
    ['cwd is a path of Windows'],
    { root: '/home/me/work' },
  ],
  [
    'PowerShell',
    { command: 'powershell.exe', args: ['-File', 'x.ps1'] },
    { command: 'powershell.exe', args: ['-File', 'x.ps1'], disabled: true },
    ['its command is a program of Windows'],
  ],
  [
    'paths of other systems on Windows',
    { command: '/usr/bin/x', cwd: '/home/me' },
    { command: '/usr/bin/x', cwd: '/home/me', disabled: true },
    ['command is a path of another system, cwd is a path of another system'],
    { platform: 'win32' },
  ],

  // Tool filters.
  ['a list of tools', { command: 'x', tools: ['a', 'b'] }, { command: 'x', tools: { allow: ['a', 'b'] } }, []],
  [
    'several lists of hidden tools',
    { command: 'x', excludeTools: ['a'], disabledTools: ['b', 'a'] },
    { command: 'x', tools: { deny: ['b', 'a'] } },
    [],
  ],
  [
    'rules for single tools',
    { command: 'x', tools: { a: { approval_mode: 'approve' } } },
    { command: 'x' },
    ['not used here: "tools": {"a":'],
  ],

  // Logins.
  [
    "Cursor's login",
    { url: 'https://x.example.com/mcp', auth: { CLIENT_ID: 'me', CLIENT_SECRET: 'swordfish', scopes: ['a', 'b'] } },
    {
      url: 'https://x.example.com/mcp',
      auth: { type: 'oauth', clientId: 'me', clientSecret: '${A_CLIENT_SECRET}', scopes: ['a', 'b'] },
      disabled: true,
    },
    ['set A_CLIENT_SECRET to the secret in auth.clientSecret', 'redirect address http://127.0.0.1:PORT/callback'],
  ],
  [
    "Claude Code's login",
    {
      type: 'http',
      url: 'https://x.example.com/mcp',
      oauth: {
        clientId: '${TOKEN}',
        callbackPort: 8123,
        scopes: 'a b',
        authServerMetadataUrl: 'https://y.example.com/',
      },
    },
    {
      url: 'https://x.example.com/mcp',
      auth: { type: 'oauth', clientId: '${TOKEN}', callbackPort: 8123, scopes: ['a', 'b'] },
    },
    ['http://127.0.0.1:8123/callback', 'not used here: "oauth.authServerMetadataUrl": "https://y.example.com/"'],
  ],
  [
    "Codex's login",
    { url: 'https://x.example.com/mcp', scopes: ['a'], oauth: { client_id: 'me' }, oauth_resource: 'https://x' },
    { url: 'https://x.example.com/mcp', auth: { type: 'oauth', clientId: 'me', scopes: ['a'] } },
    ['not used here: "oauth_resource"'],
  ],
  [
    'scopes in two places',
    { url: 'https://x.example.com/mcp', scopes: ['a'], oauth: { scopes: ['b'] } },
    { url: 'https://x.example.com/mcp', auth: { type: 'oauth', scopes: ['b'] } },
    ['not used here: "scopes"'],
  ],
  [
    'a login that is no mapping',
    { url: 'https://x.example.com/mcp', auth: 'google' },
    { url: 'https://x.example.com/mcp' },
    ['not used here: "auth": "google"'],
  ],
  [
    'a login beside a command',
    { command: 'x', oauth: { clientId: 'me' } },
    { command: 'x' },
    ['not used here: "oauth"'],
  ],

  [
    'a variable as Gemini CLI has it',
    { command: 'x', env: { A: '$TOKEN' } },
    { command: 'x', env: { A: '$TOKEN' } },
    ['A is the text $TOKEN: write ${TOKEN}'],
  ],

  // What a url means.
  [
    'a url with variables',
    { url: 'https://x.example.com/mcp', env: { A: 'b' } },
    { url: 'https://x.example.com/mcp' },
    ['not used here: "env"'],
  ],
];

describe('each shape of an entry is taken over, or told', () => {
  test.each(ROWS.map((row) => [row[0], row] as const))('%s', (_shape, [, server, value, told, facts]) => {
    const entry = imported({ mcpServers: { a: server } }, facts);
    expect(entry.obstacle).toBeUndefined();
    expect(entry.value).toEqual(value);
    const remarks = entry.remarks.join('\n');
    for (const words of told) expect(remarks).toContain(words);
    if (told.length === 0) expect(remarks).toBe('');
    expect(remarks).not.toContain('swordfish');
  });

  test('a path that means another type than the agent does is refused', () => {
    const { obstacle } = imported({ servers: { a: { type: 'http', url: 'unix:///run/x.sock' } } });
    expect(obstacle).toContain('upstreams.a');
  });
});

const OPENCODE: readonly Row[] = [
  [
    'a program',
    { type: 'local', command: ['npx', '-y', 'x'], environment: { A: '{env:TOKEN}', B: '${TOKEN}' }, enabled: true },
    { command: 'npx', args: ['-y', 'x'], env: { A: '${TOKEN}', B: '$${TOKEN}' } },
    [],
  ],
  ['one that is off', { type: 'local', command: ['x'], enabled: false }, { command: 'x', disabled: true }, []],
  ['a timeout', { type: 'local', command: ['x'], timeout: 5000 }, { command: 'x' }, ['not used here: "timeout": 5000']],
  [
    'a server on the network',
    {
      type: 'remote',
      url: 'https://x.example.com/mcp',
      headers: { Authorization: 'Bearer {env:TOKEN}' },
      oauth: { clientId: 'me', scope: 'a b', redirectUri: 'http://127.0.0.1:1/x' },
    },
    {
      url: 'https://x.example.com/mcp',
      headers: { Authorization: 'Bearer ${TOKEN}' },
      auth: { type: 'oauth', clientId: 'me', scopes: ['a', 'b'] },
    },
    ['not used here: "oauth.redirectUri"'],
  ],
  [
    'no login',
    { type: 'remote', url: 'https://x.example.com/mcp', oauth: false },
    { url: 'https://x.example.com/mcp', auth: 'none' },
    [],
  ],
];

describe('the shapes of opencode', () => {
  test.each(OPENCODE.map((row) => [row[0], row] as const))('%s', (_shape, [, server, value, told]) => {
    const entry = imported({ $schema: 'https://opencode.example/config.json', mcp: { a: server } });
    expect(entry.obstacle).toBeUndefined();
    expect(entry.value).toEqual(value);
    for (const words of told) expect(entry.remarks.join('\n')).toContain(words);
    if (told.length === 0) expect(entry.remarks).toEqual([]);
  });

  test('a file whose text is to stand there is told, and the entry is off', () => {
    const entry = imported({ mcp: { a: { type: 'local', command: ['x', '--key={file:~/key}'] } } });
    expect(entry.value).toMatchObject({ disabled: true });
    expect(entry.remarks.join('\n')).toContain('{file:…}');
  });

  test('its newer form has them under mcp.servers, with two times', () => {
    const server = { type: 'local', command: ['x'], cwd: 'sub', timeout: { startup: 2000, request: 9000, other: 1 } };
    const { value, remarks } = imported({ mcp: { servers: { a: server } } });
    expect(value).toEqual({ command: 'x', cwd: 'sub', timeouts: { connectMs: 2000, callMs: 9000 } });
    expect(remarks.join('\n')).toContain('not used here: "timeout.other": 1');
  });
});

test('what Gemini CLI may not use is disabled', () => {
  const disabledWith = (mcp: unknown) =>
    readServers(JSON.stringify({ mcp, mcpServers: { a: { command: 'x' }, b: { command: 'y' } } }), {
      file: '/home/me/.gemini/settings.json',
      hasReferences: true,
      hasBareReferences: true,
      root: undefined,
      cwd: '/home/me',
      configFolder: '/home/me',
      system: { platform: 'linux', isFile: () => false },
    }).switchedOff;
  expect(disabledWith({ excluded: ['b'] })).toEqual(['b']);
  expect(disabledWith({ allowed: ['b'] })).toEqual(['a']);
  expect(disabledWith({ serverCommand: 'x' })).toEqual([]);
});
