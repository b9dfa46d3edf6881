import { type CommandWords, splitCommand } from './split-command.ts';

/** Describes a `command` that should name a program alone. */
export type CommandReading =
  | { readonly is: 'program' }
  /** A program with its arguments. */
  | ({ readonly is: 'line' } & CommandWords)
  /** Only a shell can run it. */
  | { readonly is: 'shell' }
  /** It has spaces, and may be a path with spaces in it or a path with arguments. */
  | { readonly is: 'unclear' };

const DRIVE = /^[A-Za-z]:[\\/]/;
/** Returns the end of the path of a Windows program. */
const PROGRAM_END = /\.(?:exe|cmd|bat|com)(?=\s|$)/i;

/**
 * Finds out whether a command is a program or a whole command line, such as `npx -y some-server`.
 * @param isFile whether there is such a file; asked about paths only
 */
export function readCommand(command: string, isFile: (path: string) => boolean): CommandReading {
  const text = command.trim();
  if (!/\s/.test(text)) return { is: 'program' };
  const end = DRIVE.test(text) ? PROGRAM_END.exec(text) : null;
  if (end !== null) {
    const length = end.index + end[0].length;
    return lineOf(splitCommand(text.slice(length)), [text.slice(0, length)]);
  }
  if (hasFolder(text) && isFile(text)) return { is: 'program' };
  const split = splitCommand(text);
  const first = split?.words[0];
  if (first !== undefined && hasFolder(first) && !/^["']/.test(text) && !isFile(first)) return { is: 'unclear' };
  return lineOf(split, []);
}

function lineOf(split: CommandWords | undefined, before: readonly string[]): CommandReading {
  if (split === undefined) return { is: 'shell' };
  const { env } = split;
  const words = [...before, ...split.words];
  if (words.length === 0) return { is: 'shell' };
  return words.length === 1 && before.length > 0 ? { is: 'program' } : { is: 'line', env, words };
}

function hasFolder(text: string): boolean {
  return text.includes('/') || text.includes('\\');
}
