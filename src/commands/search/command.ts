import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';
import { wholeNumber } from '../terminal/flags/number-flag.ts';

export const searchCommand = defineCommand({
  name: 'search',
  description: 'find code by a question or the name of a symbol, best match first; exit code 1 if nothing is found',
  configure: (command) => {
    command
      .argument('<query>', 'a question in plain words, or the name of a function, class or file')
      .option('-l, --limit <number>', 'maximum number of results, up to 50', wholeNumber(1, 50), 10)
      .option('-t, --type <extension>', 'only files with this extension, such as py')
      .option('-d, --directory <folder>', 'only files in this folder or below it')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (query, options) => (await import('./search.ts')).search(query, options));
  },
});
