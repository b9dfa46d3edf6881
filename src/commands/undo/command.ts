import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';
import { wholeNumber } from '../terminal/flags/number-flag.ts';

export const undoCommand = defineCommand({
  name: 'undo',
  description: 'undo the last change that a tool made to workspace files; exit code 1 if it cannot be undone',
  configure: (command) => {
    command
      .argument('[change]', 'number of the change to undo (see --list); an undo can itself be undone', wholeNumber(1))
      .option('-s, --session <id>', 'undo all changes of this session, newest first')
      .option('-l, --list', 'only list the changes')
      .option('-f, --force', 'also undo if a file has changed since, or if tools must not change it')
      .option('--any-machine', 'also changes made on other machines that use the same database')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (change, options) => (await import('./undo.ts')).undo(change, options));
  },
});
