import { constants, type Stats } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { literalSecrets } from '../../../config/secrets/literal-secrets.ts';
import { readConfigFile } from '../../../config/source/config-file.ts';
import { HAS_MODES, modeText } from '../../../config/source/ownership.ts';
import { shellWord } from '../../../core/text/shell-word.ts';
import { configModel } from '../../../gateway/settings/load-settings.ts';
import type { Check } from './check.ts';

const OTHERS_ANY = 0o077;
const OTHERS_READ = 0o044;

/** Returns the gateway's folder for its own files: there or creatable, writable, and owned by this user. */
export async function checkHome(home: string): Promise<Check> {
  const name = 'home';
  const facts = await stat(home).catch((error: NodeJS.ErrnoException) => error);
  if (facts instanceof Error) return facts.code === 'ENOENT' ? checkCreatable(home) : unusable(home, facts.message);
  if (!facts.isDirectory()) return unusable(home, 'it is not a folder');
  if (isForeign(facts)) return unusable(home, `it belongs to another user (uid ${facts.uid})`);
  if (!(await isWritable(home))) {
    return { name, mark: 'fail', text: `${home} is not writable`, fix: `chmod u+rwx ${shellWord(home)}` };
  }
  const mode = modeText(facts);
  if (HAS_MODES && (facts.mode & OTHERS_ANY) !== 0) {
    const text = `${home} is open to other users (mode ${mode}): it holds the lists of your servers`;
    return { name, mark: 'warn', text, fix: `chmod 700 ${shellWord(home)}` };
  }
  return { name, mark: 'ok', text: HAS_MODES ? `${home} (mode ${mode})` : home };
}

async function checkCreatable(home: string): Promise<Check> {
  let folder = path.dirname(home);
  while ((await exists(folder)) === false && path.dirname(folder) !== folder) folder = path.dirname(folder);
  if (await isWritable(folder)) {
    return { name: 'home', mark: 'ok', text: `${home} does not exist yet; the first gateway creates it` };
  }
  return unusable(home, `it is not there, and ${folder} may not be written`);
}

function unusable(home: string, why: string): Check {
  const fix = 'name a folder of your own in $VIADUCT_HOME, or mend this one';
  return { name: 'home', mark: 'fail', text: `${home} cannot be used: ${why}`, fix };
}

/** Others who can read the config can read the secrets in it. A config that others can change is never loaded. */
export async function checkConfigMode(file: string): Promise<Check> {
  const name = 'config mode';
  if (!HAS_MODES) return { name, mark: 'skipped', text: 'there are no file modes on Windows' };
  const { facts, text } = await readConfigFile(file);
  const mode = modeText(facts);
  const secrets = literalSecrets(text, configModel().keys);
  if (secrets.length === 0 || (facts.mode & OTHERS_READ) === 0) return { name, mark: 'ok', text: `mode ${mode}` };
  return {
    name,
    mark: 'warn',
    text: `other users can read ${file} (mode ${mode}), which holds values: ${secrets.join(', ')}`,
    fix: `chmod 600 ${shellWord(file)}, or write references such as \${TOKEN} instead of values`,
  };
}

/** Checks that the gateway can write its log there. Does not create the file. */
export async function checkLogFile(file: string): Promise<Check> {
  const name = 'log file';
  const isThere = await exists(file);
  const mayWrite = isThere
    ? await access(file, constants.W_OK).then(
        () => true,
        () => false,
      )
    : await isWritable(path.dirname(file));
  if (mayWrite)
    return { name, mark: 'ok', text: isThere ? file : `${file} does not exist yet; the first gateway creates it` };
  const place = isThere ? file : path.dirname(file);
  return {
    name,
    mark: 'fail',
    text: `${place} is not writable, or does not exist`,
    fix: 'correct log.file in the config',
  };
}

function isForeign({ uid }: Stats): boolean {
  return HAS_MODES && uid !== process.getuid?.();
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
