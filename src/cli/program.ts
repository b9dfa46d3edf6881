import { Command } from 'commander';
import type { CommandDefinition } from '../commands/define.ts';
import { COMMANDS } from '../commands/index.ts';
import { writeError } from '../commands/terminal/print.ts';
import { whenWritten, writeOutput } from '../commands/terminal/standard-output.ts';
import { VERSION } from '../gateway/version.ts';
import { report } from './report.ts';

/**
 * Returns the program with these commands, in this order. It prints its help and its errors like the commands do.
 * @param named the command that runs, if it is known: the others have no arguments and options then
 */
export function createProgram(commands: readonly CommandDefinition[] = COMMANDS, named?: string): Command {
  const isEnough = commands.some(({ name, tellsOfOthers = false }) => name === named && !tellsOfOthers);
  const program = new Command('viaduct')
    .description('One MCP endpoint in front of every MCP server you run.')
    .version(VERSION)
    .showHelpAfterError('(try --help)')
    // A command that has both options and commands below it, such as "metrics", passes on the options that follow a subcommand.
    .enablePositionalOptions()
    .configureOutput({ writeOut: writeOutput, writeErr: writeError })
    .exitOverride();
  for (const { name, description, isHidden = false, configure } of commands) {
    const command = program.command(name, { hidden: isHidden }).description(description);
    if (!isEnough || name === named) configure(command);
  }
  return program;
}

/** Runs the command that the command line names and sets the exit code. */
export async function runCommandLine(): Promise<void> {
  try {
    await createProgram(COMMANDS, process.argv[2]).parseAsync();
  } catch (error) {
    process.exitCode = report(error);
  }
  try {
    await whenWritten();
  } catch (error) {
    process.exitCode = report(error);
  }
}
