import path from 'node:path';
import type { UserFolders } from './user-folders.ts';

/** How the entry of a server looks in a file: by the member that has the servers, or the format. */
export type EntryForm = 'mcpServers' | 'serverUrl' | 'servers' | 'context_servers' | 'toml';

/** Where an agent's MCP servers are, and in which form. */
export interface ServerFile {
  readonly file: string;
  readonly form: EntryForm;
}

/** An agent whose list of MCP servers we can read and write. */
interface Agent {
  readonly name: string;
  /** As people call it. */
  readonly title: string;
  readonly form: EntryForm;
  /** Whether `${…}` stands for something in its entries; else it is plain text. */
  readonly hasReferences: boolean;
  /** The agent replaces `${NAME}` by a variable of its environment; without this only `${env:NAME}` means one. */
  readonly hasBareReferences?: boolean;
  /** Whether it can reach a server by a url that stands in its file. */
  readonly hasUrls: boolean;
  /** Its files for all projects; an entry is written into the first. */
  readonly ofUser: (user: UserFolders) => readonly string[];
  /** Those of one project; none where it has no such files. */
  readonly inProject: (folder: string) => readonly string[];
}

const AGENTS = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    form: 'mcpServers',
    hasReferences: true,
    hasBareReferences: true,
    hasUrls: true,
    ofUser: ({ claudeFile }) => [claudeFile],
    inProject: (folder) => [path.join(folder, '.mcp.json')],
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    form: 'mcpServers',
    hasReferences: false,
    hasUrls: false,
    ofUser: ({ claudeDesktop }) => [path.join(claudeDesktop, 'claude_desktop_config.json')],
    inProject: () => [],
  },
  {
    name: 'cursor',
    title: 'Cursor',
    form: 'mcpServers',
    hasReferences: true,
    hasUrls: true,
    ofUser: ({ home }) => [path.join(home, '.cursor', 'mcp.json')],
    inProject: (folder) => [path.join(folder, '.cursor', 'mcp.json')],
  },
  {
    name: 'vscode',
    title: 'VS Code',
    form: 'servers',
    hasReferences: true,
    hasUrls: true,
    // The servers were part of the settings once.
    ofUser: ({ vscodeUser }) => [path.join(vscodeUser, 'mcp.json'), path.join(vscodeUser, 'settings.json')],
    inProject: (folder) => [path.join(folder, '.vscode', 'mcp.json'), path.join(folder, '.vscode', 'settings.json')],
  },
  {
    name: 'codex',
    title: 'Codex',
    form: 'toml',
    hasReferences: false,
    hasUrls: true,
    ofUser: ({ codex }) => [path.join(codex, 'config.toml')],
    inProject: (folder) => [path.join(folder, '.codex', 'config.toml')],
  },
  {
    name: 'zed',
    title: 'Zed',
    form: 'context_servers',
    hasReferences: false,
    hasUrls: true,
    ofUser: ({ zed }) => [path.join(zed, 'settings.json')],
    inProject: (folder) => [path.join(folder, '.zed', 'settings.json')],
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    form: 'serverUrl',
    hasReferences: true,
    hasUrls: true,
    ofUser: ({ windsurf }) => [path.join(windsurf, 'mcp_config.json')],
    inProject: () => [],
  },
] as const satisfies readonly Agent[];

/** As commands call it. */
export type AgentName = (typeof AGENTS)[number]['name'];

export const AGENT_NAMES: readonly AgentName[] = AGENTS.map(({ name }) => name);

export function agentCalled(name: string): (Agent & { readonly name: AgentName }) | undefined {
  return AGENTS.find((agent) => agent.name === name);
}

/** The file of an agent into which a server for all projects is written. */
export function userServerFile(name: AgentName, user: UserFolders): ServerFile {
  const { form, ofUser } = agentCalled(name)!;
  return { file: ofUser(user)[0]!, form };
}

/** The file of an agent into which a server for one project is written, if it has any. */
export function projectServerFile(name: AgentName, folder: string): ServerFile | undefined {
  const { form, inProject } = agentCalled(name)!;
  const [file] = inProject(folder);
  return file === undefined ? undefined : { file, form };
}
