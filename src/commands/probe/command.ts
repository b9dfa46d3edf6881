import { defineCommand } from '../define.ts';
import { wholeNumber } from '../terminal/flags/number-flag.ts';

export const probeCommand = defineCommand({
  name: 'probe',
  description: "test Apple's Xcode bridge on this machine",
  configure: (command) => {
    command
      .option('-n, --names <count>', 'how many tool names to print', wholeNumber(0, 999_999), 10)
      .action(async (options) => (await import('./probe.ts')).probeXcode(options));
  },
});
