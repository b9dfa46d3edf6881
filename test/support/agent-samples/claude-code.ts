import { type AgentSample, IS_WINDOWS, pretty } from './sample.ts';

const USER = '<home>/.claude.json';
const PROJECT = '<project>/.mcp.json';

export const CLAUDE_CODE: readonly AgentSample[] = [
  {
    title: 'a program, as the command line adds it',
    file: USER,
    text: pretty({
      numStartups: 12,
      mcpServers: { airtable: { type: 'stdio', command: 'npx', args: ['-y', 'airtable-server'], env: {} } },
      tipsHistory: { 'new-user': 3 },
    }),
    servers: { airtable: { command: 'npx', args: ['-y', 'airtable-server'] } },
  },
  {
    title: 'a url with a token',
    file: USER,
    text: pretty({
      mcpServers: {
        docs: { type: 'http', url: 'https://docs.example.com/mcp', headers: { Authorization: 'Bearer b7c2d9e4f1a8' } },
      },
    }),
    servers: { docs: { url: 'https://docs.example.com/mcp', headers: { Authorization: 'Bearer b7c2d9e4f1a8' } } },
    secrets: ['b7c2d9e4f1a8'],
  },
  {
    title: 'a url that speaks HTTP with SSE',
    file: PROJECT,
    text: pretty({ mcpServers: { asana: { type: 'sse', url: 'https://asana.example.com/sse' } } }),
    servers: { asana: { type: 'sse', url: 'https://asana.example.com/sse' } },
  },
  {
    title: 'variables, with defaults and without',
    file: PROJECT,
    text: `{
  "mcpServers": {
    "api": {
      "type": "http",
      "url": "\${API_BASE:-https://other.example.com}/mcp",
      "headers": { "Authorization": "Bearer \${DOCS_TOKEN}" }
    },
    "tool": { "command": "\${TOOL:-./bin/tool}", "args": ["--level", "\${LEVEL:-info}"] }
  }
}
`,
    servers: {
      api: { url: 'https://api.example.com/mcp', headers: { Authorization: 'Bearer docs-token-4711' } },
      tool: { command: './bin/tool', args: ['--level', 'info'] },
    },
  },
  {
    title: 'servers of this project among those of others',
    file: USER,
    text: pretty({
      projects: {
        '/elsewhere': { mcpServers: { no: { command: 'never' } } },
        '<project>': { allowedTools: [], mcpServers: { local: { type: 'stdio', command: 'uv', args: ['run', 'x'] } } },
      },
      mcpServers: { everywhere: { command: 'deno' } },
    }),
    servers: { everywhere: { command: 'deno' }, local: { command: 'uv', args: ['run', 'x'] } },
  },
  {
    title: 'one that is switched off, and Viaduct itself',
    file: USER,
    text: pretty({
      mcpServers: {
        on: { command: 'on-server' },
        off: { command: 'off-server' },
        viaduct: { command: '/usr/local/bin/viaduct', args: ['stdio'] },
      },
      projects: { '<project>': { disabledMcpServers: ['off'] } },
    }),
    servers: { on: { command: 'on-server' }, off: { command: 'off-server', disabled: true } },
    left: ['viaduct'],
  },
  {
    title: 'a program behind cmd, with a name that is no key',
    file: PROJECT,
    text: pretty({ mcpServers: { 'My Server': { command: 'cmd', args: ['/c', 'npx', '-y', 'some-server'] } } }, '\t'),
    servers: {
      'My-Server': IS_WINDOWS
        ? { command: 'cmd', args: ['/c', 'npx', '-y', 'some-server'] }
        : { command: 'npx', args: ['-y', 'some-server'] },
    },
  },
  {
    title: 'fields that mean nothing here',
    file: PROJECT,
    text: pretty({
      mcpServers: {
        crm: {
          type: 'streamable-http',
          url: 'https://crm.example.com/mcp',
          headersHelper: './get-headers.sh',
          oauth: { clientId: 'abc', callbackPort: 8080 },
          timeout: 60_000,
        },
      },
    }),
    servers: { crm: { url: 'https://crm.example.com/mcp' } },
  },
];
