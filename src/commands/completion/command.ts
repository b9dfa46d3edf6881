import { Argument, type Command } from 'commander';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Adds `viaduct completion`, which prints a script for a shell. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script with which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'the shell that you use').choices(SHELLS))
    .action(async (shell: (typeof SHELLS)[number]) => (await import('./completion.ts')).completion(program, shell));
}
