import path from 'node:path';
import { shellWord } from '../../core/text/shell-word.ts';
import { defineAgent, plainFile } from '../agent.ts';

export const claudeCode = defineAgent({
  name: 'claude-code',
  title: 'Claude Code',
  client: { names: /^claude([- ]?code)?\b/, consumes: 'L3' },
  servers: {
    form: 'mcpServers',
    hasReferences: true,
    hasBareReferences: true,
    hasUrls: true,
    ofUser: ({ claudeFile }) => [claudeFile],
    inProject: (folder) => [path.join(folder, '.mcp.json')],
  },
  shownEntry: {
    where: 'run in a shell',
    text: (entry) =>
      'url' in entry
        ? `claude mcp add --transport http viaduct ${entry.url}`
        : `claude mcp add viaduct -- ${[entry.command, ...entry.args].map(shellWord).join(' ')}`,
  },
  priming: {
    inProject: (folder) => ({
      instructions: plainFile(path.join(folder, 'CLAUDE.md')),
      byHand: ['Claude Code asks once whether it may use the servers of .mcp.json: say yes'],
    }),
    ofUser: ({ home }) => ({ instructions: plainFile(path.join(home, '.claude', 'CLAUDE.md')), byHand: [] }),
    hookSettings: (folder) => path.join(folder, '.claude', 'settings.json'),
  },
  conversation: { format: 'claude-session', folder: ({ claudeFolder }) => path.join(claudeFolder, 'projects') },
  commandFiles: ['.claude/*.json', '.claude/hooks', '.claude.json'],
});
