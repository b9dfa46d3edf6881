import path from 'node:path';
import { projectServerFile, type ServerFile, userServerFile } from '../../../../agents/agents.ts';
import type { UserFolders } from '../../../../agents/user-folders.ts';

/** Where an agent reads what it should do. */
export interface InstructionFile {
  readonly file: string;
  /** What the file begins with when it is ours alone. */
  readonly header: string;
}

export interface AgentFiles {
  readonly instructions: InstructionFile | undefined;
  /** Where they may have been written before, when other files were there. */
  readonly formerInstructions?: readonly InstructionFile[];
  readonly servers: ServerFile | undefined;
  /** Where ide-bridge has its instructions, if it has a file of its own for them. */
  readonly ideBridgeFile?: string;
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
      servers: projectServerFile('claude-code', folder),
      byHand: ['Claude Code asks once whether it may use the servers of .mcp.json: say yes'],
    }),
    ofUser: (user) => ({
      instructions: plain(user.home, '.claude', 'CLAUDE.md'),
      servers: userServerFile('claude-code', user),
      byHand: [],
    }),
  },
  {
    name: 'cursor',
    inProject: (folder) => ({
      instructions: { file: path.join(folder, '.cursor', 'rules', 'viaduct.mdc'), header: CURSOR_HEADER },
      servers: projectServerFile('cursor', folder),
      ideBridgeFile: path.join(folder, '.cursor', 'rules', 'ide-bridge.mdc'),
      byHand: ['Cursor asks once whether the server may run: switch it on in its settings, under MCP'],
    }),
    ofUser: (user) => ({
      instructions: undefined,
      servers: userServerFile('cursor', user),
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
      servers: projectServerFile('codex', folder),
      byHand: ['Codex reads .codex/config.toml of projects that it trusts only'],
    }),
    ofUser: (user) => ({
      instructions: plain(user.codex, 'AGENTS.md'),
      servers: userServerFile('codex', user),
      byHand: [],
    }),
  },
  {
    name: 'vscode',
    inProject: (folder) => ({
      instructions: plain(folder, '.github', 'copilot-instructions.md'),
      servers: projectServerFile('vscode', folder),
      byHand: ['VS Code asks once whether it trusts the server'],
    }),
    ofUser: (user) => ({
      instructions: { file: path.join(user.vscodeUser, 'prompts', 'viaduct.instructions.md'), header: COPILOT_HEADER },
      servers: userServerFile('vscode', user),
      byHand: [],
    }),
  },
  {
    name: 'zed',
    inProject: (folder, exists) => ({
      instructions: plain(folder, ZED_RULES.find((name) => exists(path.join(folder, name))) ?? 'AGENTS.md'),
      formerInstructions: ZED_RULES.map((name) => plain(folder, name)).filter(({ file }) => exists(file)),
      servers: projectServerFile('zed', folder),
      byHand: [],
    }),
    ofUser: (user) => ({
      instructions: plain(user.zed, 'AGENTS.md'),
      servers: userServerFile('zed', user),
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
    ideBridgeFile: path.join(folder, 'steering', 'ide-bridge.md'),
    byHand: [],
  };
}
