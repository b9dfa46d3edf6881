import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';
import { wholeNumber } from '../terminal/flags/number-flag.ts';

const COLLECTION = [
  '-C, --collection <name>',
  'name of the collection (default: as in the config, else hostuk-docs)',
] as const;

export const ragCommand = defineCommand({
  name: 'rag',
  description: 'add documents to collections, and find the parts that answer a question',
  configure: (command) => {
    command
      .command('ingest')
      .description(
        'add a document, or all documents in and below a folder, to a collection; existing ones are replaced',
      )
      .argument('<path>', 'a file or folder of the workspace')
      .option(...COLLECTION)
      .option('--recreate', 'empty the collection first')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (path, options) => (await import('./rag.ts')).ingest(path, options));
    command
      .command('query')
      .description(
        'find the parts of documents that answer a question, best match first; exit code 1 if there are none',
      )
      .argument('<question>', 'the question, in plain words')
      .option(...COLLECTION)
      .option('-l, --limit <number>', 'maximum number of results, up to 100', wholeNumber(1, 100), 5)
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (question, options) => (await import('./rag.ts')).query(question, options));
    command
      .command('collections')
      .description('list the collections')
      .option('-s, --stats', 'show the number of parts and the status of each')
      .option(...CONFIG_FLAG)
      .option(...JSON_FLAG)
      .action(async (options) => (await import('./rag.ts')).collections(options));
  },
});
