import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';

export const pinsCommand = defineCommand({
  name: 'pins',
  description: 'see which tools changed since you approved them, and approve changes',
  configure: (command) => {
    command
      .command('list')
      .description('list tools and whether they still match what was approved')
      .argument('[upstream]', 'only tools of this upstream')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (upstream, options) => (await import('./pins.ts')).listPins(upstream, options));
    command
      .command('diff')
      .description('show how tools differ from what was approved; exit code 1 if any differ')
      .argument('[upstream]', 'only tools of this upstream')
      .argument('[tool]', 'only this tool, by the name that its upstream uses')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (upstream, tool, options) => (await import('./pins.ts')).diffPins(upstream, tool, options));
    command
      .command('accept')
      .description('approve tools as they are now')
      .argument('<upstream>', 'upstream of the tools')
      .argument('[tool...]', 'only these tools, by the names that their upstream uses')
      .option('--sha256 <hash...>', 'only if they still have these SHA-256 hashes, as shown by "viaduct pins diff"')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (upstream, tools, options) => (await import('./pins.ts')).acceptPins(upstream, tools, options));
  },
});
