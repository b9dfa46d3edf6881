import { type Command, Option } from 'commander';
import { CONFIG_FLAG, JSON_FLAG } from '../terminal/flags.ts';

const AGENT = ['<agent>', 'claude-code, claude-desktop, cursor, vscode, codex, zed or windsurf'] as const;

/** The commands that read agents' own lists of servers, and write into them. */
export function addServerListCommands(program: Command): void {
  program
    .command('import')
    .description("show how an agent's servers would stand in the config, or write them into it")
    .argument(...AGENT)
    .option(...CONFIG_FLAG)
    .option('-w, --write', 'write the config')
    .option('-f, --file <path>', 'this file alone, instead of all that the agent has')
    .option('--keep-secrets', 'secrets come into the config as they are, not as variables')
    .option(...JSON_FLAG)
    .action(async (agent, options) => (await import('../import/import.ts')).importAgent(agent, options));
  program
    .command('export')
    .description("show an agent's file with the entry for this gateway in it, or write it")
    .argument(...AGENT)
    .option(...CONFIG_FLAG)
    .option('-w, --write', 'write the file')
    .addOption(
      new Option('-s, --scope <scope>', 'the list of this user, or that of the project in this folder')
        .choices(['user', 'project'])
        .default('user'),
    )
    .option('-p, --profile <name>', 'give the agent this part of the gateway only')
    .option('--http', 'reach the gateway by its url instead of by a program')
    .option('--replace', 'take the servers out that the gateway has as well')
    .option('--undo', 'take out again what was written')
    .option(...JSON_FLAG)
    .action(async (agent, options) => (await import('./export.ts')).exportGateway(agent, options));
}
