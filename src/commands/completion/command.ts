import { Argument } from 'commander';
import { defineCommand } from '../define.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completionCommand = defineCommand({
  name: 'completion',
  description: 'print a script that completes commands and options in a shell',
  tellsOfOthers: true,
  configure: (command) => {
    command
      .addArgument(new Argument('<shell>', 'shell to print the script for').choices(SHELLS))
      .action(async (shell: (typeof SHELLS)[number]) =>
        // A command of the table is directly below the program.
        (await import('./completion.ts')).completion(command.parent!, shell),
      );
  },
});
