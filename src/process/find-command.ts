import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { ImpossibleError } from '../core/impossible-error.ts';
import type { StdioEntry } from '../core/settings/upstream-entry.ts';
import { joinPaths, type LoginPath } from './login-path.ts';

type Command = Pick<StdioEntry, 'command' | 'cwd'>;

export interface FoundCommand {
  /** Absolute path of the file to run. */
  readonly file: string;
  /** The environment, with the PATH in which the command was found. */
  readonly env: Record<string, string>;
}

/**
 * Finds the file that an entry's command names. A command with a slash is a file, relative to the entry's folder;
 * any other is searched in PATH, then in the login shell's PATH.
 * @throws ImpossibleError that names the folders searched, or what is wrong with the file or the folder.
 */
export async function findCommand(
  entry: Command,
  env: Record<string, string>,
  loginPath: LoginPath,
): Promise<FoundCommand> {
  await requireFolder(entry);
  if (entry.command.includes('/') || (process.platform === 'win32' && entry.command.includes('\\'))) {
    return { file: await requireFile(path.resolve(entry.cwd, entry.command), env), env };
  }
  const found = await searchPath(entry, env);
  if (found !== undefined) return { file: found, env };
  const login = await loginPath.ask();
  const wider = login === undefined ? env : { ...env, PATH: joinPaths(env.PATH, login) };
  const foundByLogin = await searchPath(entry, wider);
  if (foundByLogin !== undefined) return { file: foundByLogin, env: wider };
  throw new ImpossibleError(
    `command "${entry.command}" not found. Searched: ${foldersOf(wider).join(', ') || '(PATH is empty)'}. ` +
      'Install it, or give its full path as "command".',
  );
}

function foldersOf(env: Record<string, string>): string[] {
  return (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
}

async function searchPath({ command, cwd }: Command, env: Record<string, string>): Promise<string | undefined> {
  for (const folder of foldersOf(env)) {
    // A relative folder of PATH means one below the folder in which the command will run.
    const found = await withEnding(path.resolve(cwd, folder, command), env);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** On Windows the ending may be left out, and what has none comes last: beside `npm.cmd` there is a script `npm` for other systems. */
async function withEnding(file: string, env: Record<string, string>): Promise<string | undefined> {
  for (const ending of process.platform === 'win32' ? endingsFor(file, env) : ['']) {
    if (await isExecutable(file + ending)) return file + ending;
  }
  return undefined;
}

function endingsFor(file: string, env: Record<string, string>): string[] {
  const endings = (env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';');
  return path.extname(file) === '' ? [...endings, ''] : ['', ...endings];
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false; // not there, or not for us: the next folder may have it
  }
}

async function requireFolder(entry: Command): Promise<void> {
  const facts = await stat(entry.cwd).catch(() => undefined);
  if (facts === undefined) throw new ImpossibleError(`the folder "${entry.cwd}" (cwd) does not exist`);
  if (!facts.isDirectory()) throw new ImpossibleError(`"${entry.cwd}" (cwd) is not a folder`);
}

async function requireFile(file: string, env: Record<string, string>): Promise<string> {
  const found = await withEnding(file, env);
  if (found !== undefined) return found;
  const facts = await stat(file).catch(() => undefined);
  if (facts === undefined) throw new ImpossibleError(`command not found: there is no file "${file}"`);
  if (facts.isDirectory()) throw new ImpossibleError(`the command "${file}" is a folder, not a program`);
  throw new ImpossibleError(`the command "${file}" may not be executed (chmod +x, or check its owner)`);
}
