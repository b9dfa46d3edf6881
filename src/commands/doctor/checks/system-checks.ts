import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Environment } from '../../../core/settings/environment.ts';
import type { LoginPath } from '../../../process/login-path.ts';
import { locateBridge } from '../../../workflows/xcode-ide/locate-bridge.ts';
import type { Check } from './check.ts';

const MIB = 1024 * 1024;
const LITTLE_SPACE = 100 * MIB;
const NO_SPACE = 5 * MIB;
const SHOWN_FOLDERS = 5;
const XCODEBUILD_LIMIT_MS = 10_000;

/** `required` is a range of the form `>=20.19`, as package.json has it. */
export function checkNode(version: string, required: string): Check {
  const name = 'node';
  const [major = 0, minor = 0] = numbersIn(version);
  const [needMajor = 0, needMinor = 0] = numbersIn(required);
  if (major > needMajor || (major === needMajor && minor >= needMinor)) {
    return { name, mark: 'ok', text: `Node.js ${version} (${required} is needed)` };
  }
  return {
    name,
    mark: 'fail',
    text: `Node.js ${version} is too old: ${required} is needed`,
    fix: `install Node.js ${needMajor} or newer, such as with: nvm install ${needMajor}`,
  };
}

function numbersIn(text: string): number[] {
  return (text.match(/[0-9]+/g) ?? []).map(Number);
}

/** Checks the free space on the disk of the home folder, or of its nearest existing parent. */
export async function checkDisk(home: string): Promise<Check> {
  const name = 'disk';
  const free = await freeBytes(home);
  if (free === undefined) return { name, mark: 'skipped', text: 'the free space is not known' };
  const text = `${Math.floor(free / MIB)} MiB free for ${home}`;
  if (free >= LITTLE_SPACE) return { name, mark: 'ok', text };
  const fix = 'free some room, or name a folder elsewhere in $VIADUCT_HOME';
  return { name, mark: free < NO_SPACE ? 'fail' : 'warn', text, fix };
}

async function freeBytes(folder: string): Promise<number | undefined> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch (error) {
    const parent = path.dirname(folder);
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isMissing && parent !== folder ? freeBytes(parent) : undefined;
  }
}

/** Checks for folders that only the login shell has in its PATH: agents started from the desktop often lack them. */
export async function checkLoginPath(env: Environment, loginPath: LoginPath): Promise<Check> {
  const name = 'login PATH';
  const login = await loginPath.ask();
  if (login === undefined)
    return { name, mark: 'skipped', text: 'there is no login shell ($SHELL), or it gives no answer' };
  const own = new Set((env.PATH ?? '').split(path.delimiter));
  const extra = [...new Set(login.split(path.delimiter))].filter((folder) => folder !== '' && !own.has(folder));
  if (extra.length === 0) return { name, mark: 'ok', text: 'the login shell has no folders that PATH lacks' };
  const shown = extra.slice(0, SHOWN_FOLDERS).join(', ') + (extra.length > SHOWN_FOLDERS ? ', …' : '');
  return { name, mark: 'ok', text: `the login shell also has ${shown}: commands are looked for there, too` };
}

/** Checks Apple's bridge; a problem is a failure only if the workflow that needs it is on. */
export async function checkXcode(env: Environment, isWanted: boolean, platform = process.platform): Promise<Check> {
  const name = 'xcode';
  if (platform !== 'darwin') return { name, mark: 'skipped', text: 'not macOS: skipped' };
  const located = await locateBridge(env);
  if ('path' in located) {
    const version = await xcodeVersion(env);
    return { name, mark: 'ok', text: `${version}, bridge ${located.path}; viaduct probe tries it` };
  }
  if (!isWanted) return { name, mark: 'skipped', text: `${located.reason} (the workflow xcode-ide is not on)` };
  const fix = 'sudo xcode-select -s /Applications/Xcode.app, or take xcode-ide out of enabledWorkflows';
  return { name, mark: 'fail', text: located.reason, fix };
}

async function xcodeVersion(env: Environment): Promise<string> {
  const options = { env: { ...env }, timeout: XCODEBUILD_LIMIT_MS, killSignal: 'SIGKILL' as const };
  try {
    const { stdout } = await promisify(execFile)('xcodebuild', ['-version'], options);
    return stdout.trim().split('\n').join(', ') || 'Xcode of unknown version';
  } catch {
    return 'Xcode of unknown version'; // xcodebuild is not needed for anything else
  }
}
