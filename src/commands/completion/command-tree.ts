import type { Command } from 'commander';

/** A command as a shell completes it. */
export interface CommandNode {
  /** Names below the program, such as `/config/check`; empty for the program itself. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly options: readonly OptionNode[];
  readonly commands: readonly CommandNode[];
}

export interface OptionNode {
  /** Short option without its dash, such as `c`. */
  readonly short: string | undefined;
  /** Long option without its dashes, such as `config`. */
  readonly long: string;
  readonly description: string;
  readonly takesValue: boolean;
}

const HELP: OptionNode = { short: 'h', long: 'help', description: 'print what the command does', takesValue: false };

/** Returns the tree of the commands and options of a program. */
export function commandTree(command: Command, path = ''): CommandNode {
  return {
    path,
    name: command.name(),
    description: command.description(),
    options: [...command.options.map(optionNode), HELP],
    commands: shownBelow(command).map((below) => commandTree(below, `${path}/${below.name()}`)),
  };
}

/** Returns the commands that `--help` shows, without `help` itself. */
function shownBelow(command: Command): readonly Command[] {
  const shown = new Set(command.createHelp().visibleCommands(command));
  return command.commands.filter((below) => shown.has(below));
}

function optionNode({ short, long, description, required, optional }: Command['options'][number]): OptionNode {
  return { short: short?.slice(1), long: long!.slice(2), description, takesValue: required || optional };
}

/** Returns a command and all commands below it. */
export function withDescendants(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(withDescendants)];
}

/** Returns the options as they are typed, such as `-c` and `--config`. */
export function flagsOf({ short, long }: OptionNode): string[] {
  return short === undefined ? [`--${long}`] : [`-${short}`, `--${long}`];
}

/** Returns the paths of all commands below the program. */
export function commandPaths(program: CommandNode): string[] {
  return withDescendants(program)
    .map(({ path }) => path)
    .filter((path) => path !== '');
}
