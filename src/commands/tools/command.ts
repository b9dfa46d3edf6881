import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG, PROFILE_FLAG } from '../terminal/flags/common-flags.ts';

export const toolsCommand = defineCommand({
  name: 'tools',
  description: 'list the tools that clients see',
  configure: (command) => {
    command
      .option(...CONFIG_FLAG)
      .option(...PROFILE_FLAG)
      .option('-u, --upstream <key>', 'only tools of this upstream')
      .option(...JSON_FLAG)
      .action(async (options) => (await import('./tools.ts')).tools(options));
  },
});
