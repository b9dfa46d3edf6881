import { shellWord } from '../../core/text/shell-word.ts';

/** How agents reach this gateway: what to paste, and where. */
export interface ClientEntry {
  readonly client: string;
  readonly where: string;
  readonly text: string;
}

export interface EntryFacts {
  readonly url: string;
  /** Program and arguments of the stdio form. */
  readonly command: string;
  readonly args: readonly string[];
}

/** Entries for the usual agents, in both forms: by command and by URL. */
export function clientEntries({ url, command, args }: EntryFacts): ClientEntry[] {
  const stdio = { command, args };
  return [
    {
      client: 'Claude Code, by command',
      where: 'run in a shell',
      text: `claude mcp add viaduct -- ${[command, ...args].map(shellWord).join(' ')}`,
    },
    { client: 'Claude Code, by URL', where: 'run in a shell', text: `claude mcp add --transport http viaduct ${url}` },
    { client: 'Cursor, by command', where: '~/.cursor/mcp.json', text: json({ mcpServers: { viaduct: stdio } }) },
    { client: 'Cursor, by URL', where: '~/.cursor/mcp.json', text: json({ mcpServers: { viaduct: { url } } }) },
    {
      client: 'VS Code, by command',
      where: '.vscode/mcp.json',
      text: json({ servers: { viaduct: { type: 'stdio', ...stdio } } }),
    },
    {
      client: 'VS Code, by URL',
      where: '.vscode/mcp.json',
      text: json({ servers: { viaduct: { type: 'http', url } } }),
    },
    {
      client: 'Codex, by command',
      where: '~/.codex/config.toml',
      text: `[mcp_servers.viaduct]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
    },
    {
      client: 'Codex, by URL',
      where: '~/.codex/config.toml',
      text: `[mcp_servers.viaduct]\nurl = ${JSON.stringify(url)}`,
    },
  ];
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
