import type { Command } from 'commander';
import { defineCommand } from '../define.ts';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags/common-flags.ts';
import { wholeNumber } from '../terminal/flags/number-flag.ts';
import { addAgentCommands } from './agents/command.ts';

const REVISION_FLAG = ['-r, --revision <number>', 'an earlier revision (default: the newest)', wholeNumber(1)] as const;
const PROJECT = ['[project]', 'id of the project (default: the project of this folder)'] as const;

export const checkpointCommand = defineCommand({
  name: 'checkpoint',
  description: 'save and load checkpoints, which carry work from one agent to another',
  configure: (command) => {
    addReading(command);
    addMoving(command);
    addAgentCommands(command);
  },
});

function addReading(checkpoint: Command): void {
  checkpoint
    .command('list')
    .description('list the projects, or the revisions of one')
    .argument('[project]', 'id of the project')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (project, options) => (await import('./checkpoint.ts')).listCheckpoints(project, options));
  checkpoint
    .command('show')
    .description('print a checkpoint as the briefing that an agent gets')
    .argument(...PROJECT)
    .option(...REVISION_FLAG)
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (project, options) => (await import('./checkpoint.ts')).showCheckpoint(project, options));
  checkpoint
    .command('diff')
    .description('show what changed between two revisions; exit code 1 if they differ')
    .argument(...PROJECT)
    .argument('[from]', 'a revision (default: the one before)', wholeNumber(1))
    .argument('[to]', 'a later revision (default: the newest)', wholeNumber(1))
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (project, from, to, options) =>
      (await import('./checkpoint.ts')).diffCheckpoints(project, from, to, options),
    );
}

function addMoving(checkpoint: Command): void {
  checkpoint
    .command('export')
    .description('print a bundle, or write it into a file')
    .argument(...PROJECT)
    .argument('[file]', 'file to write')
    .option(...REVISION_FLAG)
    .option(...CONFIG_FLAG)
    .action(async (project, file, options) =>
      (await import('./checkpoint.ts')).exportCheckpoint(project, file, options),
    );
  checkpoint
    .command('import')
    .description('import bundles: a file, a folder of ide-bridge, or all its projects')
    .argument('[path]', 'default: ~/.ide-bridge/projects')
    .option('-p, --project <id>', 'import a single bundle under this id')
    .option('--replace', 'also import into projects that have checkpoints; their revisions stay')
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (place, options) => (await import('./checkpoint.ts')).importCheckpoints(place, options));
  checkpoint
    .command('prune')
    .description('delete old revisions')
    .argument('[project]', 'only of this project')
    .option('-k, --keep <number>', 'how many revisions to keep (default: as in the config)', wholeNumber(1))
    .option(...CONFIG_FLAG)
    .option(...JSON_FLAG)
    .action(async (project, options) => (await import('./checkpoint.ts')).pruneCheckpoints(project, options));
}
