import type { Command } from 'commander';
import { countUpTo } from '../terminal/count-flag.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags.ts';

/** `viaduct index` and `viaduct search`: the code of a folder. */
export function addCodebaseCommands(program: Command): void {
  program
    .command('index')
    .description('index the code of a folder for search, or what changed in it since the last run')
    .argument('[folder]', 'default: the current folder')
    .option('-n, --name <name>', 'display name of the repository (default: the name of the folder)')
    .option('-f, --force', 'read all files again, even unchanged ones')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (folder, options) => (await import('./build-index.ts')).indexFolder(folder, options));
  program
    .command('search')
    .description('find code by a question or the name of a symbol, best first; exit code 1 if nothing is found')
    .argument('<query>', 'a question in plain words, or the name of a function, class or file')
    .option('-l, --limit <number>', 'maximum number of results, up to 50', countUpTo(50), 10)
    .option('-t, --type <extension>', 'only files with this extension, such as py')
    .option('-d, --directory <folder>', 'only files in this folder or below it')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (query, options) => (await import('./search.ts')).search(query, options));
}
