import { AGENT_NAMES, agentCalled } from './agents.ts';
import type { UserFolders } from './user-folders.ts';

/** Files by which agents and editors are told what to run, wherever they lie: names with "/" between them, a "*" first stands for any. */
export interface CommandFiles {
  readonly of: string;
  readonly patterns: readonly string[];
}

/**
 * Lists of MCP servers, settings with hooks and tasks, and folders of hooks and plug-ins. What agents only read as text
 * (instructions, rules, commands and skills) is not among them: agents write that for each other.
 */
export const COMMAND_FILES: readonly CommandFiles[] = [
  {
    of: 'agents, a list of MCP servers',
    patterns: [
      '.mcp.json',
      'mcp.json',
      'mcp_config.json',
      'mcp-config.json',
      'mcp_settings.json',
      'cline_mcp_settings.json',
    ],
  },
  { of: 'Claude Code', patterns: ['.claude/*.json', '.claude/hooks', '.claude.json'] },
  { of: 'Claude Desktop', patterns: ['claude_desktop_config.json'] },
  { of: 'Cursor', patterns: ['.cursor/*.json', '.cursor/hooks'] },
  { of: 'VS Code', patterns: ['.vscode/*.json', '*.code-workspace'] },
  { of: 'Codex', patterns: ['.codex/*.toml', '.codex/*.json', '.codex/hooks', '.codex/rules'] },
  { of: 'Copilot', patterns: ['.github/hooks'] },
  { of: 'Gemini', patterns: ['.gemini/*.json', '.gemini/hooks', '.gemini/extensions'] },
  { of: 'Qwen Code', patterns: ['.qwen/*.json', '.qwen/extensions'] },
  { of: 'Zed', patterns: ['.zed/*.json'] },
  { of: 'Windsurf', patterns: ['.windsurf/*.json', '.windsurf/hooks'] },
  { of: 'Kiro', patterns: ['.kiro/settings', '.kiro/hooks', '.kiro/agents'] },
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

/** The files and folders of the user in which agents find the same for all projects. */
export function userCommandPlaces(user: UserFolders): string[] {
  const files = AGENT_NAMES.flatMap((name) => [...agentCalled(name)!.ofUser(user)]);
  return [...files, user.claudeDesktop, user.vscodeUser, user.cursorUser, user.zed, user.codex, user.windsurf];
}
