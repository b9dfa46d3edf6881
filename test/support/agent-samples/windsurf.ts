import { type AgentSample, pretty } from './sample.ts';

const FILE = '<home>/.codeium/windsurf/mcp_config.json';

export const WINDSURF: readonly AgentSample[] = [
  {
    title: 'a program with a token',
    file: FILE,
    text: pretty({
      mcpServers: {
        github: { command: 'npx', args: ['-y', 'gh'], env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'abc-123-xyz' } },
      },
    }),
    servers: { github: { command: 'npx', args: ['-y', 'gh'], env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'abc-123-xyz' } } },
    secrets: ['abc-123-xyz'],
  },
  {
    title: 'a url, as it is called there',
    file: FILE,
    text: pretty({ mcpServers: { figma: { serverUrl: 'https://figma.example.com/mcp' } } }),
    servers: { figma: { url: 'https://figma.example.com/mcp' } },
  },
  {
    title: 'headers with a variable',
    file: FILE,
    text: pretty({
      mcpServers: {
        docs: { serverUrl: 'https://docs.example.com/mcp', headers: { 'API-KEY': '${env:DOCS_TOKEN}', 'X-Team': 'a' } },
      },
    }),
    servers: {
      docs: { url: 'https://docs.example.com/mcp', headers: { 'API-KEY': 'docs-token-4711', 'X-Team': 'a' } },
    },
  },
  {
    title: 'one that is off',
    file: FILE,
    text: pretty({ mcpServers: { off: { command: 'off', args: [], disabled: true } } }),
    servers: { off: { command: 'off', disabled: true } },
  },
  {
    title: 'tools that are off',
    file: FILE,
    text: pretty({ mcpServers: { fs: { command: 'fs', args: ['/'], disabledTools: ['rm', 'mv'] } } }),
    servers: { fs: { command: 'fs', args: ['/'], tools: { deny: ['rm', 'mv'] } } },
  },
  {
    title: 'a variable that is not set',
    file: FILE,
    text: pretty({ mcpServers: { lacks: { command: 'lacks', args: ['${env:NOT_SET_ANYWHERE}'] } } }),
    servers: { lacks: { command: 'lacks', args: ['${NOT_SET_ANYWHERE}'], disabled: true } },
  },
  {
    title: 'a header out of a file, which cannot be',
    file: FILE,
    text: pretty({
      mcpServers: {
        filed: { serverUrl: 'https://x.example.com/mcp', headers: { Authorization: 'Bearer ${file:/run/token}' } },
      },
    }),
    servers: {},
    left: ['filed'],
  },
  {
    title: 'what is for the agent alone',
    file: FILE,
    text: pretty({
      mcpServers: { memo: { command: 'memo', alwaysAllow: ['read'], registry: 'https://r.example.com', env: {} } },
    }),
    servers: { memo: { command: 'memo' } },
  },
];
