import { readOptions } from './options.ts';

/** A program that runs the command which follows its own options. */
interface Wrapper {
  /** Its options that take the next word as their value. */
  readonly values: ReadonlySet<string>;
  /** Its options behind which the command begins. */
  readonly ends?: ReadonlySet<string>;
  /** Variables may be before the command: `NAME=value`. */
  readonly hasVariables?: boolean;
  /** A host is before the command. */
  readonly hasHost?: boolean;
  /** The command is read by a shell, which is another machine's or another system's. */
  readonly isForShell?: boolean;
}

/** The position of a wrapper's command. */
interface Wrapped {
  readonly at: number;
  readonly isForShell: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: {
    values: words(`-u -g -h -p -C -D -R -T -U -r -t --user --group --host --prompt --close-from --chdir --chroot
      --command-timeout --other-user --role --type`),
    hasVariables: true,
  },
  doas: { values: words('-u -C') },
  env: { values: words('-u -C -S --unset --chdir --split-string'), hasVariables: true },
  ssh: {
    values: words('-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w'),
    hasHost: true,
    isForShell: true,
  },
  wsl: {
    values: words('-d -u --distribution --distribution-id --user --cd --shell-type'),
    ends: words('-e --exec --'),
    isForShell: true,
  },
};

const VARIABLE = /^([A-Za-z_]\w*)=/;

/**
 * Returns where the command begins that a wrapper runs, or `undefined` if the words at this index name no wrapper.
 * `onVariable` is told the index and the name of each variable that the wrapper sets.
 */
export function behindWrapper(
  commandLine: readonly string[],
  at: number,
  onVariable: (index: number, name: string) => void,
): Wrapped | undefined {
  const name = programName(commandLine[at]!);
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper === undefined) return undefined;
  let next = behindOptions(commandLine, at + 1, wrapper);
  if (wrapper.hasHost === true) next = behindOptions(commandLine, next + 1, wrapper);
  const isForShell = wrapper.isForShell === true;
  if (wrapper.hasVariables !== true) return { at: next, isForShell };
  for (let variable = variableAt(commandLine, next); variable !== undefined; variable = variableAt(commandLine, next)) {
    onVariable(next, variable);
    next += 1;
  }
  return { at: next, isForShell };
}

function behindOptions(commandLine: readonly string[], from: number, { values, ends }: Wrapper): number {
  const end = commandLine.findIndex((word, index) => index >= from && ends?.has(word) === true);
  const { next } = readOptions(commandLine, from, (name) => values.has(name));
  return end >= 0 && end < next ? end + 1 : next;
}

function variableAt(commandLine: readonly string[], index: number): string | undefined {
  return VARIABLE.exec(commandLine[index] ?? '')?.[1];
}

/** Characters that mean themselves to every shell. */
const PLAIN = /^[\w@%+=:,./ -]+$/;

/**
 * Returns the same command line with the command of `ssh` as words of its own where it is one text without quotes: ssh puts
 * spaces between words, so that both say the same.
 */
export function spreadRemoteCommand(commandLine: readonly string[]): readonly string[] {
  if (programName(commandLine[0]!) !== 'ssh') return commandLine;
  const { at } = behindWrapper(commandLine, 0, () => undefined)!;
  const command = commandLine[at];
  if (command === undefined || at !== commandLine.length - 1 || !PLAIN.test(command)) return commandLine;
  return [...commandLine.slice(0, at), ...command.split(' ').filter((word) => word !== '')];
}

/** Returns the name of a program without its folder and without the ending that it has on Windows. */
export function programName(file: string): string {
  return file
    .slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1)
    .replace(/\.(?:exe|cmd|bat)$/i, '')
    .toLowerCase();
}
