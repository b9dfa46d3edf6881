import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '../../gateway/version.ts';

export interface OwnCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export interface RunningProgram {
  /** Absolute path by which this program was started: `process.argv[1]`. */
  readonly script: string;
  /** Absolute path of Node.js. */
  readonly node: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

const NAME = 'viaduct';
const PACKAGE = 'mcp-viaduct';
/** Upper bound of the start scripts that npm and pnpm write where links cannot be run; other files are larger. */
const MAX_SHIM = 8_192;
/** Matches the script that such a file names in quotes: `$basedir/…/main.js`, `%dp0%\…\main.js`. */
const SHIM_SCRIPT = /^(?:\$basedir|%~?dp0%?)[\\/](.*\.js)$/;

/**
 * Returns how this program can be started again from anywhere: by its name where a shell finds it by that, by `npx` where npx
 * runs it from its cache, which npm may empty, else by its files.
 */
export function findOwnCommand(running: RunningProgram): OwnCommand {
  const script = ownFile(running.script);
  if (isOnPath(script, running.env)) return { command: NAME, args: [] };
  return cachedByNpx(script) ?? byFiles(running);
}

/** Returns how this program is started where no program is found by its name. */
export function byFiles({ script, node }: Omit<RunningProgram, 'env'>): OwnCommand {
  return { command: node, args: [ownFile(script)] };
}

/** Returns the file of this program without links, as entries of agents name it. */
export function ownFile(script: string): string {
  try {
    return realpathSync(script);
  } catch {
    return script; // started without its ending, or removed meanwhile
  }
}

/**
 * A shell's PATH has the program of this installation. `npx` and `npm run` put folders of their own in front, which no other
 * shell has.
 */
function isOnPath(script: string, env: RunningProgram['env']): boolean {
  const folders = (env.PATH ?? env.Path ?? '').split(path.delimiter);
  const usual = folders.filter((folder) => path.isAbsolute(folder) && !/[\\/]node_modules[\\/]/.test(`${folder}/`));
  const names = process.platform === 'win32' ? [`${NAME}.cmd`, NAME] : [NAME];
  return usual.some((folder) => names.some((name) => leadsTo(path.join(folder, name), script)));
}

function leadsTo(file: string, script: string): boolean {
  try {
    if (realpathSync(file) === script) return true;
    if (statSync(file).size > MAX_SHIM) return false;
    const quoted = readFileSync(file, 'utf8').split('"');
    const named = quoted.flatMap((text) => SHIM_SCRIPT.exec(text)?.[1]?.replaceAll('\\', '/') ?? []);
    return named.some((name) => ownFile(path.join(path.dirname(file), name)) === script);
  } catch {
    return false; // not there, or not to be read
  }
}

/** A package in a folder that is known only from where npx was run. */
const RELATIVE = /^(?:file:)?\.{1,2}(?:[\\/]|$)/;

/** `~/.npm/_npx/<hash>/node_modules/…`; the folder's package.json says what npx was asked for. */
function cachedByNpx(script: string): OwnCommand | undefined {
  const cache = /^(.*[\\/]_npx[\\/][\da-f]+)[\\/]node_modules[\\/]/.exec(script)?.[1];
  const spec = cache === undefined ? undefined : packageIn(cache);
  if (spec === undefined || RELATIVE.test(spec)) return undefined;
  return { command: 'npx', args: ['-y', `--package=${spec}`, NAME] };
}

function packageIn(cache: string): string {
  try {
    const { _npx } = JSON.parse(readFileSync(path.join(cache, 'package.json'), 'utf8')) as {
      _npx?: { packages?: unknown };
    };
    const packages = Array.isArray(_npx?.packages) ? _npx.packages : [];
    if (packages.length === 1 && typeof packages[0] === 'string') return packages[0];
  } catch {
    // An older npm writes no such file.
  }
  return `${PACKAGE}@${VERSION}`;
}
