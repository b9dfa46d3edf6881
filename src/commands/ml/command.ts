import type { Command } from 'commander';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags.ts';

/** `viaduct ml …`: language models. */
export function addMlCommands(program: Command): void {
  const ml = program.command('ml').description('test what language models can do, and see which can be used');
  ml.command('probe')
    .description('ask a model 23 questions with known answers; exit code 1 if it does not pass all of them')
    .option('-b, --backend <name>', 'backend of the config (default: the default one)')
    .option('--compare <names...>', 'several backends, one column for each')
    .option('--categories <list>', 'only these categories, separated by commas')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (options) => (await commands()).probe(options));
  ml.command('backends')
    .description('list the backends and whether they can be used now')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (options) => (await commands()).backends(options));
}

/** Loaded when it is needed: an agent waits for `viaduct stdio` to start. */
async function commands() {
  return import('./ml.ts');
}
