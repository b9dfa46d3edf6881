import type { Agent } from './agent.ts';
import { KNOWN_AGENTS } from './index.ts';
import type { UserFolders } from './user-folders.ts';

/**
 * Files that tell agents and editors what to run, in any folder: names separated by `/`, of which the last may have a `*` for
 * any text.
 */
export interface CommandFiles {
  readonly of: string;
  readonly patterns: readonly string[];
}

const SERVER_LISTS: CommandFiles = {
  of: 'agents, a list of MCP servers',
  patterns: [
    '.mcp.json',
    'mcp.json',
    'mcp_config.json',
    'mcp-config.json',
    'mcp_settings.json',
    'cline_mcp_settings.json',
  ],
};

/** Files of programs that are not in the table of agents. */
const OTHERS: readonly CommandFiles[] = [
  { of: 'Copilot', patterns: ['.github/hooks'] },
  { of: 'Gemini', patterns: ['.gemini/*.json', '.gemini/hooks', '.gemini/extensions'] },
  { of: 'Qwen Code', patterns: ['.qwen/*.json', '.qwen/extensions'] },
  { of: 'JetBrains IDEs', patterns: ['.idea', '.junie/mcp'] },
  {
    of: 'OpenCode',
    patterns: ['opencode.json', 'opencode.jsonc', '.opencode/*.json', '.opencode/plugin', '.opencode/plugins'],
  },
  { of: 'Continue', patterns: ['.continue/*.json', '.continue/*.yaml', '.continue/mcpServers'] },
  { of: 'Roo Code', patterns: ['.roo/*.json'] },
  { of: 'Amazon Q', patterns: ['.amazonq/*.json', '.amazonq/cli-agents'] },
  { of: 'Amp', patterns: ['.amp/*.json'] },
  { of: 'Factory', patterns: ['.factory/*.json', '.factory/hooks'] },
];

/**
 * Returns the lists of MCP servers, settings with hooks and tasks, and folders of hooks and plug-ins, of agents and editors.
 * Files that agents only read as text (instructions, rules, commands and skills) are not included: agents write those for each
 * other.
 */
export function commandFiles(agents: readonly Agent[] = KNOWN_AGENTS): CommandFiles[] {
  const known = agents.flatMap(({ title, commandFiles: patterns }) =>
    patterns === undefined ? [] : [{ of: title, patterns }],
  );
  return [SERVER_LISTS, ...known, ...OTHERS];
}

/** Returns the files and folders of the user that tell agents what to run in all projects. */
export function userCommandPlaces(user: UserFolders, agents: readonly Agent[] = KNOWN_AGENTS): string[] {
  const files = agents.flatMap(({ servers }) => [...(servers?.ofUser(user) ?? [])]);
  return [...files, ...agents.flatMap(({ settingsFolder }) => settingsFolder?.(user) ?? [])];
}
