import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { AgentFileError, readAgentFile } from './agent-file.ts';

const MAX_BYTES = 32 * 1024 * 1024;

/** An agent's config on this machine. */
export interface FoundAgent {
  readonly agent: string;
  readonly file: string;
  /** How many servers it has; `undefined` where that cannot be read. */
  readonly servers: number | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Looks where the usual agents keep their servers, for this user and for the project in `cwd`. Reads, and no more. */
export async function findAgents(home: string, cwd: string, env: Environment): Promise<FoundAgent[]> {
  const places: readonly (readonly [string, string])[] = [
    ['Claude Code', path.join(home, '.claude.json')],
    ['Claude Code', path.join(cwd, '.mcp.json')],
    ['Claude Desktop', path.join(claudeDesktopFolder(home, env), 'claude_desktop_config.json')],
    ['Cursor', path.join(home, '.cursor', 'mcp.json')],
    ['Cursor', path.join(cwd, '.cursor', 'mcp.json')],
    ['VS Code', path.join(cwd, '.vscode', 'mcp.json')],
    ['Codex', path.join(home, '.codex', 'config.toml')],
  ];
  const files = new Map(places.map(([agent, file]) => [file, agent]));
  const found = await Promise.all([...files].map(([file, agent]) => look(agent, file)));
  return found.filter((one) => one !== undefined);
}

function claudeDesktopFolder(home: string, env: Environment): string {
  if (process.platform === 'darwin') return path.join(home, 'Library', 'Application Support', 'Claude');
  if (process.platform === 'win32') return path.join(env.APPDATA ?? path.join(home, 'AppData', 'Roaming'), 'Claude');
  return path.join(env.XDG_CONFIG_HOME || path.join(home, '.config'), 'Claude');
}

async function look(agent: string, file: string): Promise<FoundAgent | undefined> {
  try {
    const facts = await stat(file);
    if (!facts.isFile()) return undefined;
    if (facts.size > MAX_BYTES) return { agent, file, servers: undefined };
    return { agent, file, servers: countServers(file, await readFile(file, 'utf8')) };
  } catch {
    return undefined; // not there, or not for us to read
  }
}

function countServers(file: string, text: string): number | undefined {
  if (file.endsWith('.toml')) {
    const tables = text.matchAll(/^\s*\[\s*mcp_servers\s*\.\s*("[^"]*"|'[^']*'|[\w-]+)\s*\]/gm);
    return new Set([...tables].map(([, name]) => name)).size;
  }
  try {
    return readAgentFile(text).length;
  } catch (error) {
    if (error instanceof AgentFileError && error.message.startsWith('there is no')) return 0;
    return undefined;
  }
}
