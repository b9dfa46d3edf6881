import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';

export const indexCommand = defineCommand({
  name: 'index',
  description: 'index the code of a folder for search, or only what changed since the last run',
  configure: (command) => {
    command
      .argument('[folder]', 'default: the current folder')
      .option('-n, --name <name>', 'display name of the repository (default: the name of the folder)')
      .option('-f, --force', 'read all files again, even unchanged ones')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (folder, options) => (await import('./build-index.ts')).indexFolder(folder, options));
  },
});
