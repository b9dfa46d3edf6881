import path from 'node:path';

/** Folders of the user's, as the system has them. */
export interface UserFolders {
  readonly home: string;
  /** Where Visual Studio Code keeps what belongs to its user. */
  readonly vscodeUser: string;
  /** Where Cursor does. */
  readonly cursorUser: string;
  /** Where Zed keeps its settings. */
  readonly zed: string;
  /** `~/.codex`, or where the user moved it. */
  readonly codex: string;
}

/** Where an agent reads what it should do. */
export interface InstructionFile {
  readonly file: string;
  /** What the file begins with when it is ours alone. */
  readonly header: string;
}

/** Where an agent's MCP servers are, and in which form. */
export interface ServerFile {
  readonly file: string;
  readonly form: 'mcpServers' | 'serverUrl' | 'servers' | 'context_servers' | 'toml';
}

export interface AgentFiles {
  readonly instructions: InstructionFile | undefined;
  /** Where they may have been written before, when other files were there. */
  readonly formerInstructions?: readonly InstructionFile[];
  readonly servers: ServerFile | undefined;
  /** What the user has to do by hand, because there is no file for it. */
  readonly byHand: readonly string[];
}

export interface AgentPlaces {
  readonly name: string;
  /** Files of a project. `exists` tells of the files that are there. */
  inProject(folder: string, exists: (file: string) => boolean): AgentFiles;
  /** Files of the user, for all projects. */
  ofUser(user: UserFolders): AgentFiles;
}

/** Zed reads the first of these and no other. */
const ZED_RULES = [
  '.rules',
  '.cursorrules',
  '.windsurfrules',
  '.clinerules',
  '.github/copilot-instructions.md',
  'AGENT.md',
  'AGENTS.md',
  'CLAUDE.md',
  'GEMINI.md',
];
const CURSOR_HEADER = '---\ndescription: Save and load checkpoints of the work\nalwaysApply: true\n---\n\n';
const KIRO_HEADER = '---\ninclusion: always\n---\n\n';
const COPILOT_HEADER = "---\napplyTo: '**'\n---\n\n";
const PASTE_ENTRY = 'write the entry below into the config of your agent';
const PASTE_RULE = 'paste the text of the rule into the settings of the agent';

/** Every agent that `viaduct checkpoint prime` knows. */
export const AGENTS: readonly AgentPlaces[] = [
  {
    name: 'claude-code',
    inProject: (folder) => ({
      instructions: plain(folder, 'CLAUDE.md'),
      servers: { file: path.join(folder, '.mcp.json'), form: 'mcpServers' },
      byHand: ['Claude Code asks once whether it may use the servers of .mcp.json: say yes'],
    }),
    ofUser: ({ home }) => ({
      instructions: plain(home, '.claude', 'CLAUDE.md'),
      servers: { file: path.join(home, '.claude.json'), form: 'mcpServers' },
      byHand: [],
    }),
  },
  {
    name: 'cursor',
    inProject: (folder) => ({
      instructions: { file: path.join(folder, '.cursor', 'rules', 'viaduct.mdc'), header: CURSOR_HEADER },
      servers: { file: path.join(folder, '.cursor', 'mcp.json'), form: 'mcpServers' },
      byHand: ['Cursor asks once whether the server may run: switch it on in its settings, under MCP'],
    }),
    ofUser: ({ home }) => ({
      instructions: undefined,
      servers: { file: path.join(home, '.cursor', 'mcp.json'), form: 'mcpServers' },
      byHand: [`Cursor keeps rules for all projects in no file: ${PASTE_RULE}`],
    }),
  },
  {
    name: 'kiro',
    inProject: (folder) => kiroFiles(path.join(folder, '.kiro')),
    ofUser: ({ home }) => kiroFiles(path.join(home, '.kiro')),
  },
  {
    name: 'antigravity',
    inProject: (folder) => ({
      instructions: plain(folder, 'AGENTS.md'),
      servers: undefined,
      byHand: [
        'Antigravity has one list of servers for all projects: run this command with --home too, or paste the entry below',
      ],
    }),
    ofUser: ({ home }) => ({
      instructions: plain(home, '.gemini', 'GEMINI.md'),
      servers: { file: path.join(home, '.gemini', 'antigravity', 'mcp_config.json'), form: 'serverUrl' },
      byHand: [],
    }),
  },
  {
    name: 'codex',
    inProject: (folder) => ({
      instructions: plain(folder, 'AGENTS.md'),
      servers: { file: path.join(folder, '.codex', 'config.toml'), form: 'toml' },
      byHand: ['Codex reads .codex/config.toml of projects that it trusts only'],
    }),
    ofUser: ({ codex }) => ({
      instructions: plain(codex, 'AGENTS.md'),
      servers: { file: path.join(codex, 'config.toml'), form: 'toml' },
      byHand: [],
    }),
  },
  {
    name: 'vscode',
    inProject: (folder) => ({
      instructions: plain(folder, '.github', 'copilot-instructions.md'),
      servers: { file: path.join(folder, '.vscode', 'mcp.json'), form: 'servers' },
      byHand: ['VS Code asks once whether it trusts the server'],
    }),
    ofUser: ({ vscodeUser }) => ({
      instructions: { file: path.join(vscodeUser, 'prompts', 'viaduct.instructions.md'), header: COPILOT_HEADER },
      servers: { file: path.join(vscodeUser, 'mcp.json'), form: 'servers' },
      byHand: [],
    }),
  },
  {
    name: 'zed',
    inProject: (folder, exists) => ({
      instructions: plain(folder, ZED_RULES.find((name) => exists(path.join(folder, name))) ?? 'AGENTS.md'),
      formerInstructions: ZED_RULES.map((name) => plain(folder, name)).filter(({ file }) => exists(file)),
      servers: { file: path.join(folder, '.zed', 'settings.json'), form: 'context_servers' },
      byHand: [],
    }),
    ofUser: ({ zed }) => ({
      instructions: plain(zed, 'AGENTS.md'),
      servers: { file: path.join(zed, 'settings.json'), form: 'context_servers' },
      byHand: [],
    }),
  },
  {
    name: 'generic',
    inProject: (folder) => ({ instructions: plain(folder, 'AGENTS.md'), servers: undefined, byHand: [PASTE_ENTRY] }),
    ofUser: () => ({ instructions: undefined, servers: undefined, byHand: [PASTE_ENTRY, PASTE_RULE] }),
  },
];

function plain(folder: string, ...names: readonly string[]): InstructionFile {
  return { file: path.join(folder, ...names), header: '' };
}

function kiroFiles(folder: string): AgentFiles {
  return {
    instructions: { file: path.join(folder, 'steering', 'viaduct.md'), header: KIRO_HEADER },
    servers: { file: path.join(folder, 'settings', 'mcp.json'), form: 'mcpServers' },
    byHand: [],
  };
}
