import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';

export const statusCommand = defineCommand({
  name: 'status',
  description: 'show upstreams and clients',
  configure: (command) => {
    command
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (options) => (await import('./status.ts')).status(options));
  },
});
