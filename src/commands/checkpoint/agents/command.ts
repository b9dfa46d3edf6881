import { type Command, InvalidArgumentError } from 'commander';
import { CONFIG_FLAG, JSON_FLAG } from '../../terminal/flags.ts';

/** The commands under `viaduct checkpoint` that have to do with agents' own files. */
export function addAgentCommands(checkpoint: Command): void {
  addPrime(checkpoint);
  addHooks(checkpoint);
  addCapture(checkpoint);
}

function addPrime(checkpoint: Command): void {
  checkpoint
    .command('prime')
    .description('make an agent save and load: write its instructions and its entry for this gateway')
    .argument('<agent>', 'claude-code, cursor, kiro, antigravity, codex, vscode, zed or generic')
    .option(...CONFIG_FLAG)
    .option('--remove', 'take out again what was written')
    .option('--home', 'the files of this user, for all projects, instead of those of this folder')
    .option('--hooks', 'Claude Code saves and loads by hooks as well')
    .option('--replace-ide-bridge', "take out ide-bridge's text, hooks and server from the same files")
    .option('--http', 'reach the gateway by its url instead of by a program')
    .option(...JSON_FLAG)
    .action(async (agent, options) => (await import('./prime.ts')).primeCheckpoints(agent, options));
}

function addHooks(checkpoint: Command): void {
  const hook = checkpoint.command('hook').description('what the hooks of Claude Code run');
  hook
    .command('load')
    .description('print the checkpoint of the project for a session that begins')
    .option(...CONFIG_FLAG)
    .action(async (options) => (await import('./hook.ts')).runHook('load', options));
  hook
    .command('save')
    .description('save the conversation of the session whose hook this is')
    .option(...CONFIG_FLAG)
    .action(async (options) => (await import('./hook.ts')).runHook('save', options));
}

function addCapture(checkpoint: Command): void {
  checkpoint
    .command('capture')
    .description('save what an agent has left on the disk: its conversation, its rules, its specs')
    .argument('<agent>', 'claude-code, cursor, kiro, …')
    .option(...CONFIG_FLAG)
    .option('-f, --folder <folder>', "the project's folder (default: this one)")
    .option('-n, --turns <number>', 'how many turns of the conversation', turnCount, 20)
    .option(...JSON_FLAG)
    .action(async (agent, options) => (await import('./capture.ts')).captureCheckpoint(agent, options));
}

function turnCount(text: string): number {
  if (!/^[0-9]{1,3}$/.test(text)) throw new InvalidArgumentError('It must be a number below 1000.');
  return Number(text);
}
