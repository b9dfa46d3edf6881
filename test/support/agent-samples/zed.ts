import { type AgentSample, pretty } from './sample.ts';

const USER = '<home>/.config/zed/settings.json';
const PROJECT = '<project>/.zed/settings.json';

export const ZED: readonly AgentSample[] = [
  {
    title: 'a program',
    file: USER,
    text: pretty({ context_servers: { local: { command: 'some-command', args: ['a', 'b'], env: {} } } }),
    servers: { local: { command: 'some-command', args: ['a', 'b'] } },
  },
  {
    title: 'a program in the old form',
    file: USER,
    text: pretty({
      context_servers: {
        old: {
          command: { path: '/usr/bin/old', args: ['--stdio'], env: { OLD_SECRET: 'pssst-123456' } },
          settings: {},
        },
      },
    }),
    servers: { old: { command: '/usr/bin/old', args: ['--stdio'], env: { OLD_SECRET: 'pssst-123456' } } },
    secrets: ['pssst-123456'],
  },
  {
    title: 'a url',
    file: USER,
    text: pretty({
      context_servers: {
        web: { url: 'https://zed.example.com/mcp', headers: { Authorization: 'Bearer z3d-t0ken-77' } },
      },
    }),
    servers: { web: { url: 'https://zed.example.com/mcp', headers: { Authorization: 'Bearer z3d-t0ken-77' } } },
    secrets: ['z3d-t0ken-77'],
  },
  {
    title: 'one that an extension brings',
    file: USER,
    text: pretty({
      context_servers: {
        'mcp-server-postgres': { source: 'extension', enabled: true, settings: { database_url: 'postgresql://x' } },
        mine: { source: 'custom', command: 'mine', args: [] },
      },
    }),
    servers: { mine: { command: 'mine' } },
    left: ['mcp-server-postgres'],
  },
  {
    title: 'one that is off',
    file: PROJECT,
    text: pretty({ context_servers: { off: { enabled: false, command: 'off', args: ['x'], env: { A: '1' } } } }),
    servers: { off: { command: 'off', args: ['x'], env: { A: '1' }, disabled: true } },
  },
  {
    title: 'among settings, with comments',
    file: USER,
    text: `// Zed settings
//
// See the docs.
{
  "theme": { "mode": "system", "light": "One Light" },
  "context_servers": {
    // for work
    "work": {
      "command": "work", // on PATH
      "args": [],
    },
  },
  "tab_size": 2,
}
`,
    servers: { work: { command: 'work' } },
  },
  {
    title: 'what looks like a variable is text',
    file: PROJECT,
    text: pretty({ context_servers: { raw: { command: 'sh', args: ['-c', 'exec "${SERVER:-x}"'] } } }, 4),
    servers: { raw: { command: 'sh', args: ['-c', 'exec "${SERVER:-x}"'] } },
  },
  {
    title: 'two that differ in one letter that no key can have',
    file: USER,
    text: '{"context_servers":{"a.b":{"command":"one"},"a b":{"command":"two"}}}',
    servers: { 'a-b': { command: 'one' }, 'a-b-2': { command: 'two' } },
  },
];
