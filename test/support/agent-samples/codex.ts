import { type AgentSample, IS_WINDOWS } from './sample.ts';

const USER = '<home>/.codex/config.toml';
const PROJECT = '<project>/.codex/config.toml';

export const CODEX: readonly AgentSample[] = [
  {
    title: 'a program',
    file: USER,
    text: 'model = "gpt"\n\n[mcp_servers.context7]\ncommand = "npx"\nargs = ["-y", "@upstash/context7-mcp"]\n',
    servers: { context7: { command: 'npx', args: ['-y', '@upstash/context7-mcp'] } },
  },
  {
    title: 'variables in a table of their own',
    file: USER,
    text: `# mine
[mcp_servers.figma]
command = "figma"

[mcp_servers.figma.env]
FIGMA_TOKEN = "figd-0123456789"
MODE = "dev"

[profiles.fast]
model = "small"
`,
    servers: { figma: { command: 'figma', env: { FIGMA_TOKEN: 'figd-0123456789', MODE: 'dev' } } },
    secrets: ['figd-0123456789'],
  },
  {
    title: 'variables that are handed on',
    file: USER,
    text: `[mcp_servers.local]
command = "./server"
env_vars = ["DOCS_TOKEN", { name = "API_BASE", source = "local" }]
cwd = "/srv/local"
`,
    servers: {
      local: {
        command: './server',
        env: { DOCS_TOKEN: 'docs-token-4711', API_BASE: 'https://api.example.com' },
        cwd: '/srv/local',
      },
    },
  },
  {
    title: 'a url with the variable of its token',
    file: PROJECT,
    text: '[mcp_servers.docs]\nurl = "https://docs.example.com/mcp"\nbearer_token_env_var = "DOCS_TOKEN"\n',
    servers: { docs: { url: 'https://docs.example.com/mcp', headers: { Authorization: 'Bearer docs-token-4711' } } },
  },
  {
    title: 'headers, written and from variables',
    file: USER,
    text: `[mcp_servers.region]
url = "https://region.example.com/mcp"
http_headers = { "X-Region" = "eu", 'X-Api-Key' = "k-00112233" }
env_http_headers = { "X-Token" = "DOCS_TOKEN" }
`,
    servers: {
      region: {
        url: 'https://region.example.com/mcp',
        headers: { 'X-Region': 'eu', 'X-Api-Key': 'k-00112233', 'X-Token': 'docs-token-4711' },
      },
    },
    secrets: ['k-00112233'],
  },
  {
    title: 'one that is off, limits, and tools',
    file: USER,
    text: `[mcp_servers.slow]
command = "slow"
enabled = false
required = true
startup_timeout_sec = 20
tool_timeout_sec = 2.5
enabled_tools = ["read", "write"]
disabled_tools = ["write"]
`,
    servers: {
      slow: {
        command: 'slow',
        disabled: true,
        timeouts: { connectMs: 20_000, callMs: 2_500 },
        tools: { allow: ['read', 'write'], deny: ['write'] },
      },
    },
  },
  {
    title: 'keys with dots and tables on one line',
    file: USER,
    text: `mcp_servers.dotted.command = "dotted"
mcp_servers.dotted.args = [
  "one", # first
  "two",
]

[mcp_servers]
inline = { command = 'C:\\inline.exe', env = { A = "b" } }
`.replace('[mcp_servers]\ninline', 'mcp_servers.inline'),
    servers: {
      dotted: { command: 'dotted', args: ['one', 'two'] },
      inline: { command: 'C:\\inline.exe', env: { A: 'b' }, disabled: !IS_WINDOWS },
    },
    isByHand: true,
  },
  {
    title: 'names in quotes, texts over lines, line ends of Windows',
    file: USER,
    text: `[ mcp_servers . "my server" ]\r\ncommand = "sh"\r\nargs = ["-c", """\r\n[not.a.table]\r\necho \${HOME}"""]\r\n\r\n# the end\r\n[tui]\r\ntheme = "x"\r\n`,
    servers: { 'my-server': { command: 'sh', args: ['-c', '[not.a.table]\r\necho ${HOME}'] } },
  },
];
