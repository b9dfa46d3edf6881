import { type AgentSample, pretty } from './sample.ts';

const USER = '<home>/.config/Code/User/mcp.json';
const PROJECT = '<project>/.vscode/mcp.json';

export const VSCODE: readonly AgentSample[] = [
  {
    title: 'a program and a url',
    file: PROJECT,
    text: pretty(
      {
        servers: {
          playwright: { type: 'stdio', command: 'npx', args: ['-y', '@playwright/mcp@latest'] },
          github: { type: 'http', url: 'https://api.githubcopilot.example/mcp' },
        },
      },
      '\t',
    ),
    servers: {
      playwright: { command: 'npx', args: ['-y', '@playwright/mcp@latest'] },
      github: { url: 'https://api.githubcopilot.example/mcp' },
    },
  },
  {
    title: 'a value that its user is asked for, and that is set',
    file: PROJECT,
    text: pretty({
      inputs: [{ type: 'promptString', id: 'docs-token', description: 'Token of the docs', password: true }],
      servers: { docs: { type: 'stdio', command: 'docs', env: { TOKEN: '${input:docs-token}' } } },
    }),
    servers: { docs: { command: 'docs', env: { TOKEN: 'docs-token-4711' } } },
  },
  {
    title: 'one that is not set, and one with a default',
    file: USER,
    text: pretty({
      inputs: [
        { type: 'promptString', id: 'perplexity-key', password: true },
        { type: 'pickString', id: 'level', options: ['low', 'high'], default: 'low' },
      ],
      servers: {
        asks: { type: 'stdio', command: 'asks', env: { KEY: '${input:perplexity-key}' } },
        picks: { type: 'stdio', command: 'picks', args: ['--level=${input:level}'] },
      },
    }),
    servers: {
      asks: { command: 'asks', env: { KEY: '${PERPLEXITY_KEY}' }, disabled: true },
      picks: { command: 'picks', args: ['--level=low'] },
    },
  },
  {
    title: 'comments and commas after last items',
    file: PROJECT,
    text: `{
	// shared by the team
	"servers": {
		"db": {
			"type": "http",
			"url": "http://localhost:8123/mcp", // no https here
			"headers": { "X-Team": "core", },
		},
	},
	"inputs": [],
}
`,
    servers: { db: { url: 'http://localhost:8123/mcp', headers: { 'X-Team': 'core' } } },
  },
  {
    title: 'among the settings, as it was once',
    file: '<home>/.config/Code/User/settings.json',
    text: `{
  "editor.tabSize": 2, // mine
  "mcp": { "inputs": [], "servers": { "old": { "command": "old-server", "args": ["\${env:API_BASE}"] } } }
}
`,
    servers: { old: { command: 'old-server', args: ['https://api.example.com'] } },
    isByHand: true,
  },
  {
    title: 'a url that speaks HTTP with SSE',
    file: PROJECT,
    text: pretty({ servers: { sse: { type: 'sse', url: 'http://localhost:3000/sse', headers: { 'X-A': 'b' } } } }),
    servers: { sse: { type: 'sse', url: 'http://localhost:3000/sse', headers: { 'X-A': 'b' } } },
  },
  {
    title: 'a folder, a file of variables, and what is for the editor alone',
    file: PROJECT,
    files: { '.env.local': 'DOCS_TOKEN=docs-token-4711\n' },
    text: pretty({
      servers: {
        dev: {
          type: 'stdio',
          command: '${workspaceFolder}/build/server',
          cwd: '${workspaceFolder}',
          envFile: '${workspaceFolder}/.env.local',
          env: { DEBUG: null, NAME: 'dev' },
          dev: { watch: 'build/**/*.js', debug: { type: 'node' } },
          sandboxEnabled: true,
        },
      },
    }),
    servers: {
      dev: {
        command: '<project>/build/server',
        cwd: '<project>',
        env: { DOCS_TOKEN: 'docs-token-4711', NAME: 'dev' },
      },
    },
  },
  {
    title: 'a list for a command that the editor would run',
    file: PROJECT,
    text: pretty({
      servers: {
        pid: { type: 'stdio', command: 'attach', args: ['${command:pickProcess}'] },
        fine: { type: 'stdio', command: 'fine' },
        viaduct: { type: 'http', url: 'http://127.0.0.1:31415/mcp' },
      },
    }),
    servers: { fine: { command: 'fine' } },
    left: ['pid', 'viaduct'],
  },
];
