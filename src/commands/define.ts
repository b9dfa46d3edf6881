import type { Command } from 'commander';

/** A command of the program, including all commands below it. */
export interface CommandDefinition {
  /** Name on the command line; the folder of the command has the same name. */
  readonly name: string;
  /** One line for `--help`, shell completion and docs/COMMANDS.md. */
  readonly description: string;
  /** Only Viaduct itself runs it: it is not in `--help`, shell completion or docs/COMMANDS.md. */
  readonly isHidden?: boolean;
  /** It tells of the other commands, so it needs their arguments and options. */
  readonly tellsOfOthers?: boolean;
  /**
   * Adds arguments, options, and the action or the commands below. It runs when the command is named, and when help or
   * shell completion list all commands, so an action must load its code with `import()`.
   */
  readonly configure: (command: Command) => void;
}

/** Returns the definition; it only gives the type. */
export function defineCommand(definition: CommandDefinition): CommandDefinition {
  return definition;
}
