import type { Command } from 'commander';
import { CONFIG_FLAG, HTTP_FLAG, JSON_FLAG } from '../../terminal/flags/common-flags.ts';
import { wholeNumber } from '../../terminal/flags/number-flag.ts';

/** Adds the commands below `viaduct checkpoint` that read or write the files of agents. */
export function addAgentCommands(checkpoint: Command): void {
  addPrime(checkpoint);
  addHooks(checkpoint);
  addCapture(checkpoint);
}

function addPrime(checkpoint: Command): void {
  checkpoint
    .command('prime')
    .description('make an agent save and load checkpoints: write its instructions and its entry for this gateway')
    .argument('<agent>', 'name of an agent, such as claude-code, cursor or generic; docs/CHECKPOINTS.md lists them')
    .option(...CONFIG_FLAG)
    .option('--remove', 'remove what this command wrote')
    .option('--home', "write the user's files, for all projects, instead of the files of this folder")
    .option('--hooks', 'also save and load with hooks (Claude Code only)')
    .option('--replace-ide-bridge', "remove ide-bridge's text, hooks and server from the same files")
    .option(...HTTP_FLAG)
    .option(...JSON_FLAG)
    .action(async (agent, options) => (await import('./prime.ts')).primeCheckpoints(agent, options));
}

function addHooks(checkpoint: Command): void {
  const hook = checkpoint.command('hook').description('commands that the hooks of Claude Code run');
  hook
    .command('load')
    .description('print the checkpoint of the project for a session that begins')
    .option(...CONFIG_FLAG)
    .action(async (options) => (await import('./hook.ts')).runHook('load', options));
  hook
    .command('save')
    .description('save the conversation of the session that the hook belongs to')
    .option(...CONFIG_FLAG)
    .action(async (options) => (await import('./hook.ts')).runHook('save', options));
}

function addCapture(checkpoint: Command): void {
  checkpoint
    .command('capture')
    .description('save what an agent has left on disk: its conversation, rules and specs')
    .argument('<agent>', 'name of an agent, such as claude-code, cursor or kiro')
    .option(...CONFIG_FLAG)
    .option('-f, --folder <folder>', "the project's folder (default: the current folder)")
    .option('-n, --turns <number>', 'how many turns of the conversation to save', wholeNumber(0, 999), 20)
    .option(...JSON_FLAG)
    .action(async (agent, options) => (await import('./capture.ts')).captureCheckpoint(agent, options));
}
