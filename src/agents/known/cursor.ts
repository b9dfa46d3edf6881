import path from 'node:path';
import { defineAgent } from '../agent.ts';

const HEADER = '---\ndescription: Save and load checkpoints of the work\nalwaysApply: true\n---\n\n';

export const cursor = defineAgent({
  name: 'cursor',
  title: 'Cursor',
  // Cursor calls itself "cursor-vscode".
  client: { names: /^cursor\b/, consumes: 'L2' },
  servers: {
    form: 'mcpServers',
    hasReferences: true,
    hasUrls: true,
    ofUser: ({ home }) => [path.join(home, '.cursor', 'mcp.json')],
    inProject: (folder) => [path.join(folder, '.cursor', 'mcp.json')],
  },
  shownEntry: {
    where: '~/.cursor/mcp.json',
    text: (entry) => JSON.stringify({ mcpServers: { viaduct: entry } }, null, 2),
  },
  priming: {
    inProject: (folder) => ({
      instructions: { file: path.join(folder, '.cursor', 'rules', 'viaduct.mdc'), header: HEADER },
      ideBridgeFile: path.join(folder, '.cursor', 'rules', 'ide-bridge.mdc'),
      byHand: ['Cursor asks once whether the server may run: switch it on in its settings, under MCP'],
    }),
    ofUser: () => ({
      byHand: ['Cursor has no file for rules of all projects: paste the text of the rule into its settings'],
    }),
  },
  conversation: { format: 'cursor-state', folder: ({ cursorUser }) => cursorUser },
  settingsFolder: ({ cursorUser }) => cursorUser,
  commandFiles: ['.cursor/*.json', '.cursor/hooks'],
});
