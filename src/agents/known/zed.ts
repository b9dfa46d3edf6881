import path from 'node:path';
import { defineAgent, plainFile } from '../agent.ts';

/** Zed reads the first of these that is there, and no other. */
const RULES = [
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

export const zed = defineAgent({
  name: 'zed',
  title: 'Zed',
  client: { names: /^zed\b/, consumes: 'L2' },
  servers: {
    form: 'context_servers',
    hasReferences: false,
    hasUrls: true,
    ofUser: ({ zed }) => [path.join(zed, 'settings.json')],
    inProject: (folder) => [path.join(folder, '.zed', 'settings.json')],
  },
  priming: {
    inProject: (folder, exists) => {
      const rules = RULES.map((name) => plainFile(path.join(folder, name)));
      const present = rules.filter(({ file }) => exists(file));
      return {
        instructions: present[0] ?? plainFile(path.join(folder, 'AGENTS.md')),
        formerInstructions: present,
        byHand: [],
      };
    },
    ofUser: ({ zed }) => ({ instructions: plainFile(path.join(zed, 'AGENTS.md')), byHand: [] }),
  },
  settingsFolder: ({ zed }) => zed,
  commandFiles: ['.zed/*.json'],
});
