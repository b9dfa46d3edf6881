import path from 'node:path';
import { defineAgent, plainFile } from '../agent.ts';

const PASTE_ENTRY = 'write the entry below into the config of your agent';

/** Any agent that is not in the table. */
export const generic = defineAgent({
  name: 'generic',
  title: 'another agent',
  priming: {
    inProject: (folder) => ({ instructions: plainFile(path.join(folder, 'AGENTS.md')), byHand: [PASTE_ENTRY] }),
    ofUser: () => ({ byHand: [PASTE_ENTRY, 'paste the text of the rule into the settings of the agent'] }),
  },
});
