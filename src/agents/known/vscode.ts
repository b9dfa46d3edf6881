import path from 'node:path';
import { defineAgent, plainFile } from '../agent.ts';

const HEADER = "---\napplyTo: '**'\n---\n\n";

export const vscode = defineAgent({
  name: 'vscode',
  title: 'VS Code',
  client: { names: /^(visual studio code|vs ?code|github[- ]copilot)\b/, consumes: 'L2' },
  servers: {
    form: 'servers',
    hasReferences: true,
    hasUrls: true,
    // Older versions kept the servers in the settings.
    ofUser: ({ vscodeUser }) => [path.join(vscodeUser, 'mcp.json'), path.join(vscodeUser, 'settings.json')],
    inProject: (folder) => [path.join(folder, '.vscode', 'mcp.json'), path.join(folder, '.vscode', 'settings.json')],
  },
  shownEntry: {
    where: '.vscode/mcp.json',
    text: (entry) =>
      JSON.stringify({ servers: { viaduct: { type: 'url' in entry ? 'http' : 'stdio', ...entry } } }, null, 2),
  },
  priming: {
    inProject: (folder) => ({
      instructions: plainFile(path.join(folder, '.github', 'copilot-instructions.md')),
      byHand: ['VS Code asks once whether it trusts the server'],
    }),
    ofUser: ({ vscodeUser }) => ({
      instructions: { file: path.join(vscodeUser, 'prompts', 'viaduct.instructions.md'), header: HEADER },
      byHand: [],
    }),
  },
  settingsFolder: ({ vscodeUser }) => vscodeUser,
  commandFiles: ['.vscode/*.json', '*.code-workspace'],
});
