import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';

export const stopCommand = defineCommand({
  name: 'stop',
  description: 'end the shared gateways of the config, which "viaduct stdio" starts',
  configure: (command) => {
    command
      .option(...CONFIG_FLAG)
      .option('--all', 'end those of all configs')
      .option(...JSON_FLAG)
      .action(async (options) => (await import('./stop.ts')).stop(options));
  },
});
