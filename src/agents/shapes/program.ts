import { splitCommand } from '../../core/command-line/split-command.ts';
import { readCommand } from '../../core/command-line/whole-line.ts';
import { AgentFileError } from '../agent-text.ts';
import type { AgentEntry } from './entry-schema.ts';
import { type NamedTexts, variablesOf } from './named-texts.ts';

/** The program of a server, with one word for each argument. */
export interface Program {
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Notes on what was read differently from how it is written. */
  readonly remarks: readonly string[];
}

/**
 * Reads the program of an entry, in any of the agents' formats. References in the command and its
 * arguments are still the agent's, those in the environment are ours.
 * @throws AgentFileError if it is a line that only a shell can run
 */
export function programOf(
  entry: AgentEntry,
  { isFile, ours }: { readonly isFile: (path: string) => boolean; readonly ours: (text: string) => string },
): Program {
  const own = commandOf(entry);
  const args = argumentsOf(entry.args);
  const call = cutLine(own.command, [...own.args, ...args.words], isFile);
  const handedOn = entry.env_vars.map((variable) => (typeof variable === 'string' ? variable : variable.name));
  const sources: readonly NamedTexts[] = [call.env, handedOn, own.env, entry.environment, entry.env];
  const env = Object.assign({}, ...sources.map((texts) => variablesOf(texts, ours))) as Record<string, string>;
  return { ...call, env, remarks: [...args.remarks, ...call.remarks] };
}

function commandOf({ command }: AgentEntry): {
  readonly command: string | undefined;
  readonly args: readonly string[];
  readonly env: NamedTexts;
} {
  if (command === undefined || typeof command === 'string') return { command, args: [], env: {} };
  if (Array.isArray(command)) return { command: command[0], args: command.slice(1), env: {} };
  return { command: command.path, args: command.args, env: command.env };
}

function argumentsOf(args: AgentEntry['args']): { words: readonly string[]; remarks: readonly string[] } {
  if (typeof args !== 'string') return { words: args, remarks: [] };
  const words = args.trim() === '' ? [] : splitLine(args, 'args');
  return { words, remarks: words.length > 1 ? [`its args were one text: taken as ${words.length} arguments`] : [] };
}

/** Splits a line into arguments. It is split after a program's name, since words such as `A=1` in front would count as variables. */
function splitLine(line: string, place: string): readonly string[] {
  const split = splitCommand(`x ${line}`);
  if (split === undefined) throw new AgentFileError(`${place}: ${SHELL_ONLY}`);
  return split.words.slice(1);
}

const SHELL_ONLY = 'only a shell can run this line. Write command: sh and args: ["-c", "…"]';

/** Splits a command line that was written as a whole in `command` into its words. */
function cutLine(command: string | undefined, args: readonly string[], isFile: (path: string) => boolean): Program {
  if (command === undefined) return { command, args, env: {}, remarks: [] };
  const reading = readCommand(command, isFile);
  if (reading.is === 'shell') throw new AgentFileError(`command: ${SHELL_ONLY}`);
  if (reading.is !== 'line') {
    const remark = 'its command has spaces and is taken as the path of one program; move arguments to args';
    return { command: command.trim(), args, env: {}, remarks: reading.is === 'unclear' ? [remark] : [] };
  }
  const [program, ...more] = reading.words;
  const all = [...more, ...args];
  const remark = `its command was a whole line: taken as the program ${JSON.stringify(program)} with ${all.length} arguments`;
  return { command: program, args: all, env: reading.env, remarks: [remark] };
}
