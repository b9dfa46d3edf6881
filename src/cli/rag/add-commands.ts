import { type Command, InvalidArgumentError } from 'commander';
import { CONFIG_FLAG, JSON_FLAG } from '../flags.ts';

const COLLECTION = [
  '-C, --collection <name>',
  'name of the collection (default: the one of the config, hostuk-docs)',
] as const;

/** `viaduct rag …`: documents in collections. */
export function addRagCommands(program: Command): void {
  const rag = program
    .command('rag')
    .description('put documents into collections, and find what in them answers a question');
  rag
    .command('ingest')
    .description('put a document, or those below a folder, into a collection; those that are there are replaced')
    .argument('<path>', 'a file or folder of the workspace')
    .option(...COLLECTION)
    .option('--recreate', 'delete all that is in the collection first')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (path, options) => (await commands()).ingest(path, options));
  rag
    .command('query')
    .description('find the parts of documents that answer a question, best first; exit code 1 when there are none')
    .argument('<question>', 'the question, in plain words')
    .option(...COLLECTION)
    .option('-l, --limit <number>', 'so many results at most, up to 100', count, 5)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (question, options) => (await commands()).query(question, options));
  rag
    .command('collections')
    .description('list the collections')
    .option('-s, --stats', 'with the number of parts in each, and its status')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (options) => (await commands()).collections(options));
}

/** Loaded when it is needed: an agent waits for `viaduct stdio` to start. */
async function commands() {
  return import('./rag-commands.ts');
}

function count(text: string): number {
  if (!/^[1-9][0-9]?$|^100$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 100.');
  return Number(text);
}
