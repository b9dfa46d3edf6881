import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, PROFILE_FLAG } from '../terminal/flags/common-flags.ts';

export const stdioCommand = defineCommand({
  name: 'stdio',
  description: "serve one client over standard input and output (for an agent's config)",
  configure: (command) => {
    command
      .option(...CONFIG_FLAG)
      .option(...PROFILE_FLAG)
      .action(async (options) => (await import('./stdio.ts')).stdio(options));
  },
});
