import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { literalSecrets } from '../../config/literal-secrets.ts';
import { readConfigText } from '../../config/read-config-text.ts';
import type { Check } from './check.ts';

const OTHERS_ANY = 0o077;
const OTHERS_READ = 0o044;
const GROUP_WRITE = 0o020;
const WORLD_WRITE = 0o002;

/** Windows has no such modes: there everything counts as this user's own. */
const HAS_MODES = process.platform !== 'win32';

/** The gateway's folder for its own files: there or creatable, writable, and nobody else's. */
export async function checkHome(home: string): Promise<Check> {
  const name = 'home';
  const facts = await stat(home).catch((error: NodeJS.ErrnoException) => error);
  if (facts instanceof Error) return facts.code === 'ENOENT' ? checkCreatable(home) : unusable(home, facts.message);
  if (!facts.isDirectory()) return unusable(home, 'it is not a folder');
  if (isForeign(facts)) return unusable(home, `it belongs to another user (uid ${facts.uid})`);
  if (!(await isWritable(home))) {
    return { name, mark: 'fail', text: `${home} may not be written`, fix: `chmod u+rwx ${home}` };
  }
  const mode = facts.mode & 0o777;
  if (HAS_MODES && (mode & OTHERS_ANY) !== 0) {
    const text = `${home} is open to other users (mode ${octal(mode)}): it holds the lists of your servers`;
    return { name, mark: 'warn', text, fix: `chmod 700 ${home}` };
  }
  return { name, mark: 'ok', text: HAS_MODES ? `${home} (mode ${octal(mode)})` : home };
}

async function checkCreatable(home: string): Promise<Check> {
  let folder = path.dirname(home);
  while ((await exists(folder)) === false && path.dirname(folder) !== folder) folder = path.dirname(folder);
  if (await isWritable(folder)) {
    return { name: 'home', mark: 'ok', text: `${home} is not there yet; the first gateway makes it` };
  }
  return unusable(home, `it is not there, and ${folder} may not be written`);
}

function unusable(home: string, why: string): Check {
  const fix = 'name a folder of your own in $VIADUCT_HOME, or mend this one';
  return { name: 'home', mark: 'fail', text: `${home} cannot be used: ${why}`, fix };
}

/** Who else may change the config runs commands as this user; who else may read it has the secrets in it. */
export async function checkConfigMode(file: string): Promise<Check> {
  const name = 'config mode';
  if (!HAS_MODES) return { name, mark: 'skipped', text: 'there are no file modes on Windows' };
  const [facts, text] = await Promise.all([stat(file), readConfigText(file)]);
  const mode = facts.mode & 0o777;
  if (isChangeable(facts)) {
    return {
      name,
      mark: 'fail',
      text: `other users may change ${file} (mode ${octal(mode)}), and with it what runs as you`,
      fix: `chown ${process.getuid?.() ?? '$USER'} ${file} && chmod go-w ${file}`,
    };
  }
  const secrets = literalSecrets(text);
  if (secrets.length === 0 || (mode & OTHERS_READ) === 0) return { name, mark: 'ok', text: `mode ${octal(mode)}` };
  return {
    name,
    mark: 'warn',
    text: `other users may read ${file} (mode ${octal(mode)}), and values stand in it: ${secrets.join(', ')}`,
    fix: `chmod 600 ${file}, or write references such as \${TOKEN} instead of values`,
  };
}

/** Many systems give each user a group of the same number: a file that this group may write is the user's own. */
function isChangeable(facts: Stats): boolean {
  const byGroup = (facts.mode & GROUP_WRITE) !== 0 && facts.gid !== facts.uid;
  return byGroup || (facts.mode & WORLD_WRITE) !== 0 || (isForeign(facts) && facts.uid !== 0);
}

function isForeign({ uid }: Stats): boolean {
  return HAS_MODES && uid !== process.getuid?.();
}

function octal(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
}
