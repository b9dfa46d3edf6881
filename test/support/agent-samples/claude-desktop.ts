import { type AgentSample, IS_WINDOWS, pretty } from './sample.ts';

const FILE = '<home>/.config/Claude/claude_desktop_config.json';

export const CLAUDE_DESKTOP: readonly AgentSample[] = [
  {
    title: 'a program with folders',
    file: FILE,
    text: pretty({
      mcpServers: { filesystem: { command: 'npx', args: ['-y', 'fs-server', '/Users/me/Desktop', '/Users/me/Work'] } },
    }),
    servers: { filesystem: { command: 'npx', args: ['-y', 'fs-server', '/Users/me/Desktop', '/Users/me/Work'] } },
  },
  {
    title: 'a key in the environment',
    file: FILE,
    text: pretty({
      mcpServers: {
        search: { command: 'npx', args: ['search'], env: { SEARCH_API_KEY: 'k-93hf83hf8', LANG: 'de_DE' } },
      },
    }),
    servers: { search: { command: 'npx', args: ['search'], env: { SEARCH_API_KEY: 'k-93hf83hf8', LANG: 'de_DE' } } },
    secrets: ['k-93hf83hf8'],
  },
  {
    title: 'a url by way of a program, with a token among the arguments',
    file: FILE,
    text: pretty({
      mcpServers: {
        linear: {
          command: 'npx',
          args: ['mcp-remote', 'https://linear.example.com/mcp', '--header', 'Authorization: Bearer tok-5f5f5f5f'],
        },
      },
    }),
    servers: {
      linear: {
        command: 'npx',
        args: ['mcp-remote', 'https://linear.example.com/mcp', '--header', 'Authorization: Bearer tok-5f5f5f5f'],
      },
    },
    secrets: ['tok-5f5f5f5f'],
  },
  {
    title: 'line ends of Windows, and paths',
    file: FILE,
    text: pretty({
      mcpServers: { notes: { command: 'C:\\Tools\\notes.exe', args: ['--dir', 'C:\\Users\\me\\Notes'] } },
    }).replaceAll('\n', '\r\n'),
    servers: {
      notes: { command: 'C:\\Tools\\notes.exe', args: ['--dir', 'C:\\Users\\me\\Notes'], disabled: !IS_WINDOWS },
    },
  },
  {
    title: 'what looks like a variable is text',
    file: FILE,
    text: pretty({ mcpServers: { sh: { command: 'sh', args: ['-c', 'echo ${HOME} $${X} $Y'], env: { A: '${B}' } } } }),
    servers: { sh: { command: 'sh', args: ['-c', 'echo ${HOME} $${X} $Y'], env: { A: '${B}' } } },
  },
  {
    title: 'other settings, and an empty list',
    file: FILE,
    text: pretty({ globalShortcut: 'Alt+Space', mcpServers: {}, preferences: { menuBarEnabled: true } }, 4),
    servers: {},
  },
  {
    title: 'a container',
    file: FILE,
    text: pretty({
      mcpServers: {
        github: {
          command: 'docker',
          args: ['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', 'ghcr.io/github/github-mcp-server'],
          env: { GITHUB_TOKEN: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' },
        },
      },
    }),
    servers: {
      github: {
        command: 'docker',
        args: ['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', 'ghcr.io/github/github-mcp-server'],
        env: { GITHUB_TOKEN: 'ghp_0123456789abcdefghijABCDEFGHIJ012345' },
      },
    },
    secrets: ['ghp_0123456789abcdefghijABCDEFGHIJ012345'],
  },
  {
    title: 'on one line, with a password in an address',
    file: FILE,
    text: '{"mcpServers":{"Postgres (prod)":{"command":"npx","args":["pg","postgres://me:hunter2hunter@db.example.com/x"]}}}',
    servers: { 'Postgres-prod': { command: 'npx', args: ['pg', 'postgres://me:hunter2hunter@db.example.com/x'] } },
    secrets: ['hunter2hunter'],
  },
];
