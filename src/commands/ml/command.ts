import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';

export const mlCommand = defineCommand({
  name: 'ml',
  description: 'test what language models can do, and see which are available',
  configure: (command) => {
    command
      .command('probe')
      .description('ask a model 23 questions with known answers; exit code 1 unless it passes all of them')
      .option('-b, --backend <name>', 'backend of the config (default: the default backend)')
      .option('--compare <names...>', 'several backends, one column each')
      .option('--categories <list>', 'only these categories, separated by commas')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (options) => (await import('./ml.ts')).probe(options));
    command
      .command('backends')
      .description('list the backends and whether they can be used now')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (options) => (await import('./ml.ts')).backends(options));
  },
});
