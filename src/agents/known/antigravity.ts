import path from 'node:path';
import { defineAgent, plainFile } from '../agent.ts';

export const antigravity = defineAgent({
  name: 'antigravity',
  title: 'Antigravity',
  client: { names: /^(google[- ])?(antigravity|gemini)\b/, consumes: 'L1' },
  priming: {
    inProject: (folder) => ({
      instructions: plainFile(path.join(folder, 'AGENTS.md')),
      byHand: [
        'Antigravity has one list of servers for all projects: run this command with --home too, or paste the entry below',
      ],
    }),
    ofUser: ({ home }) => ({
      instructions: plainFile(path.join(home, '.gemini', 'GEMINI.md')),
      servers: { file: path.join(home, '.gemini', 'antigravity', 'mcp_config.json'), form: 'serverUrl' },
      byHand: [],
    }),
  },
});
