import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';

export const syncCommand = defineCommand({
  name: 'sync',
  description: 'reconnect upstreams that are down and refresh the lists of all upstreams',
  configure: (command) => {
    command
      .argument('[upstream]', 'only this upstream')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (upstream, options) => (await import('./sync.ts')).sync(upstream, options));
  },
});
