import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG, PROFILE_FLAG } from '../terminal/flags/common-flags.ts';

export const callCommand = defineCommand({
  name: 'call',
  description: 'call a tool',
  configure: (command) => {
    command
      .argument('<tool>', 'name as listed by "viaduct tools"')
      .argument('[key=value...]', 'arguments of the tool')
      .option(...CONFIG_FLAG)
      .option(...PROFILE_FLAG)
      .option('-a, --args <json>', 'arguments as a JSON object')
      .option(...JSON_FLAG)
      .action(async (tool, words, options) => (await import('./call.ts')).call(tool, words, options));
  },
});
