import { type Command, InvalidArgumentError } from 'commander';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags.ts';

const REVISION_FLAG = [
  '-r, --revision <number>',
  'an earlier revision; the newest if missing',
  revisionNumber,
] as const;
const PROJECT = ['[project]', 'id of the project (default: that of this folder)'] as const;

/** The commands under `viaduct checkpoint` that read the store, or write into it. */
export function addStoreCommands(checkpoint: Command): void {
  addReading(checkpoint);
  addMoving(checkpoint);
}

function addReading(checkpoint: Command): void {
  checkpoint
    .command('list')
    .description('list the projects, or the revisions of one')
    .argument('[project]', 'id of the project')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (project, options) => (await commands()).listCheckpoints(project, options));
  checkpoint
    .command('show')
    .description('print a checkpoint as the briefing that an agent gets')
    .argument(...PROJECT)
    .option(...REVISION_FLAG)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (project, options) => (await commands()).showCheckpoint(project, options));
  checkpoint
    .command('diff')
    .description('show what changed between two revisions; exit code 1 when they differ')
    .argument(...PROJECT)
    .argument('[from]', 'a revision (default: the one before)', revisionNumber)
    .argument('[to]', 'a later revision (default: the newest)', revisionNumber)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (project, from, to, options) => (await commands()).diffCheckpoints(project, from, to, options));
}

function addMoving(checkpoint: Command): void {
  checkpoint
    .command('export')
    .description('write a bundle into a file, or print it')
    .argument(...PROJECT)
    .argument('[file]', 'where to')
    .option(...REVISION_FLAG)
    .option(...CONFIG_FLAG)
    .action(async (project, file, options) => (await commands()).exportCheckpoint(project, file, options));
  checkpoint
    .command('import')
    .description('import bundles: a file, a folder of ide-bridge, or all its projects')
    .argument('[path]', 'default: ~/.ide-bridge/projects')
    .option('-p, --project <id>', 'import a single bundle under this id')
    .option('--replace', 'also where there are checkpoints of the project')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (place, options) => (await commands()).importCheckpoints(place, options));
  checkpoint
    .command('prune')
    .description('drop old revisions')
    .argument('[project]', 'only of this project')
    .option('-k, --keep <number>', 'so many stay (default: as the config says)', revisionNumber)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (project, options) => (await commands()).pruneCheckpoints(project, options));
}

/** Loaded when it is needed: an agent waits for `viaduct stdio` to start. */
async function commands() {
  return import('./checkpoint.ts');
}

function revisionNumber(text: string): number {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
}
