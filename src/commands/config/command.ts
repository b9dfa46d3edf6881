import { defineCommand } from '../define.ts';
import { CONFIG_FLAG } from '../terminal/flags/common-flags.ts';

export const configCommand = defineCommand({
  name: 'config',
  description: 'check, locate or describe the config',
  configure: (command) => {
    command
      .command('check')
      .description('read the config and report every problem in it')
      .option(...CONFIG_FLAG)
      .action(async (options) => (await import('./config.ts')).checkConfig(options));
    command
      .command('path')
      .description('print which config is used')
      .option(...CONFIG_FLAG)
      .action(async (options) => (await import('./config.ts')).configPath(options));
    command
      .command('schema')
      .description('print the JSON Schema of the config, for editors')
      .action(async () => (await import('./config.ts')).configSchema());
  },
});
