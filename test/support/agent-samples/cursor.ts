import { type AgentSample, pretty } from './sample.ts';

const USER = '<home>/.cursor/mcp.json';
const PROJECT = '<project>/.cursor/mcp.json';

export const CURSOR: readonly AgentSample[] = [
  {
    title: 'a program',
    file: USER,
    text: pretty({ mcpServers: { server: { command: 'npx', args: ['-y', 'mcp-server'], env: { MODE: 'fast' } } } }),
    servers: { server: { command: 'npx', args: ['-y', 'mcp-server'], env: { MODE: 'fast' } } },
  },
  {
    title: 'a url, with a variable in a header',
    file: USER,
    text: pretty({
      mcpServers: { remote: { url: '${env:API_BASE}/mcp', headers: { Authorization: 'Bearer ${env:DOCS_TOKEN}' } } },
    }),
    servers: { remote: { url: 'https://api.example.com/mcp', headers: { Authorization: 'Bearer docs-token-4711' } } },
  },
  {
    title: 'a file of variables',
    file: PROJECT,
    files: { '.env': '# mine\nDOCS_TOKEN=docs-token-4711\nAPI_BASE="https://api.example.com"\n' },
    text: pretty({
      mcpServers: { app: { type: 'stdio', command: 'node', args: ['app.js'], envFile: '${workspaceFolder}/.env' } },
    }),
    servers: {
      app: {
        command: 'node',
        args: ['app.js'],
        env: { DOCS_TOKEN: 'docs-token-4711', API_BASE: 'https://api.example.com' },
      },
    },
  },
  {
    title: 'folders by their names',
    file: PROJECT,
    text: pretty({
      mcpServers: {
        files: {
          command: '${workspaceFolder}${pathSeparator}bin${/}files',
          args: ['${userHome}/notes', '--name=${workspaceFolderBasename}'],
          cwd: '${workspaceFolder}/src',
        },
      },
    }),
    servers: {
      files: {
        command: '<project>/bin/files',
        args: ['<home>/notes', '--name=<projectName>'],
        cwd: '<project>/src',
      },
    },
  },
  {
    title: 'comments, commas after last items, a byte order mark',
    file: USER,
    text: `\uFEFF{
  // what I use every day
  "mcpServers": {
    "day": { "command": "day", "args": ["a", "b",], }, // "not this": {}
    /* "old": { "command": "old" }, */
  },
}`,
    servers: { day: { command: 'day', args: ['a', 'b'] } },
  },
  {
    title: 'one that is off, and numbers among the arguments',
    file: USER,
    text: pretty({
      mcpServers: { web: { command: 'web', args: ['--port', 8080, true], env: { PORT: 8080 }, disabled: true } },
    }),
    servers: { web: { command: 'web', args: ['--port', '8080', 'true'], env: { PORT: '8080' }, disabled: true } },
  },
  {
    title: 'a url with its own login',
    file: PROJECT,
    text: pretty({
      mcpServers: {
        oauth: {
          url: 'https://oauth.example.com/mcp',
          auth: { CLIENT_ID: '${env:ID}', CLIENT_SECRET: 's3cr3t-0815-abcd', scopes: ['read'] },
        },
      },
    }),
    // The variable of its client is not set.
    servers: { oauth: { url: 'https://oauth.example.com/mcp', disabled: true } },
    secrets: ['s3cr3t-0815-abcd'],
  },
  {
    title: 'a key in a url',
    file: USER,
    text: pretty({ mcpServers: { exa: { url: 'https://exa.example.com/mcp?exaApiKey=0a1b2c3d-9999&tools=web' } } }),
    servers: { exa: { url: 'https://exa.example.com/mcp?exaApiKey=0a1b2c3d-9999&tools=web' } },
    secrets: ['0a1b2c3d-9999'],
  },
];
