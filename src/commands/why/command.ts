import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';

export const whyCommand = defineCommand({
  name: 'why',
  description: 'explain whether clients see a tool and, if not, why and what to do',
  configure: (command) => {
    command
      .argument('<tool>', 'the name that clients see, or the name that its server uses')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (tool, options) => (await import('./why.ts')).why(tool, options));
  },
});
