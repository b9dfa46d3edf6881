import type { Command } from 'commander';
import { countUpTo } from '../terminal/count-flag.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags.ts';

const COLLECTION = [
  '-C, --collection <name>',
  'name of the collection (default: the one of the config, hostuk-docs)',
] as const;

/** `viaduct rag …`: documents in collections. */
export function addRagCommands(program: Command): void {
  const rag = program
    .command('rag')
    .description('add documents to collections, and find the parts that answer a question');
  rag
    .command('ingest')
    .description('add a document, or all in and below a folder, to a collection; existing ones are replaced')
    .argument('<path>', 'a file or folder of the workspace')
    .option(...COLLECTION)
    .option('--recreate', 'empty the collection first')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (path, options) => (await commands()).ingest(path, options));
  rag
    .command('query')
    .description('find the parts of documents that answer a question, best first; exit code 1 if there are none')
    .argument('<question>', 'the question, in plain words')
    .option(...COLLECTION)
    .option('-l, --limit <number>', 'maximum number of results, up to 100', countUpTo(100), 5)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (question, options) => (await commands()).query(question, options));
  rag
    .command('collections')
    .description('list the collections')
    .option('-s, --stats', 'show the number of parts and the status of each')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (options) => (await commands()).collections(options));
}

/** Loaded when it is needed: an agent waits for `viaduct stdio` to start. */
async function commands() {
  return import('./rag.ts');
}
