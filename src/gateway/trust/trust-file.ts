import path from 'node:path';
import { ConfigError } from '../../config/findings/config-error.ts';
import { checkOwner } from '../../config/source/check-owner.ts';
import { type ConfigFile, readConfigFile } from '../../config/source/config-file.ts';
import { type Trust, workingFolderOf } from '../../config/source/find.ts';
import { MISSING } from '../../config/source/missing-config.ts';
import { asObject } from '../../core/json/as-object.ts';
import { withFileLock } from '../../store/file-lock.ts';
import { writeWhole } from '../../store/write-whole.ts';
import { realPath } from '../settings/paths.ts';

/** A config in a working folder that the user trusts with exactly this content. */
export interface TrustRecord {
  readonly path: string;
  readonly sha256: string;
  /** The time at which the user decided. */
  readonly at: string;
}

/** Gives the path of the file in the gateway's folder that says which configs in working folders are trusted. */
export function trustFile(home: string): string {
  return path.join(home, 'trusted-configs.json');
}

/**
 * Reads what the user trusts.
 * @throws ConfigError if the file cannot be read, is damaged, or can be changed by other users
 */
export async function readTrust(home: string): Promise<readonly TrustRecord[]> {
  try {
    const file = await readConfigFile(trustFile(home));
    checkOwner(file);
    return recordsIn(file);
  } catch (error) {
    if (error instanceof ConfigError && error.issues[0]?.message === MISSING) return [];
    throw error;
  }
}

function recordsIn({ path: file, text }: ConfigFile): readonly TrustRecord[] {
  try {
    return recordsOf(JSON.parse(text));
  } catch (cause) {
    const message = 'this file is damaged, so it is unknown which configs you trust';
    const hint = 'remove it, and trust your folders again with `viaduct trust`';
    throw new ConfigError(file, [{ line: 0, column: 0, jsonPath: '', message, hint }], { cause });
  }
}

/** Checks by hand what a schema would check: every start of `viaduct stdio` reads the file. */
function recordsOf(value: unknown): readonly TrustRecord[] {
  const { version, configs } = asObject(value);
  if (version !== 1 || !Array.isArray(configs)) throw new Error('not a list of trusted configs');
  return configs.map(recordOf);
}

function recordOf(value: unknown): TrustRecord {
  const { path: file, sha256, at } = asObject(value);
  if (typeof file === 'string' && typeof sha256 === 'string' && typeof at === 'string')
    return { path: file, sha256, at };
  throw new Error('not a trusted config');
}

/** Looks up whether the user trusts this content of a config. Throws as `readTrust` does. */
export async function trustOf(
  home: string,
  { path: file, sha256 }: Pick<ConfigFile, 'path' | 'sha256'>,
): Promise<Trust> {
  const place = placeOf(file);
  const record = (await readTrust(home)).find((one) => one.path === place);
  if (record === undefined) return 'untrusted';
  return record.sha256 === sha256 ? 'trusted' : 'changed';
}

/** Records that the user trusts this content of a config, and no other one. */
export async function addTrust(
  home: string,
  { path: file, sha256 }: Pick<ConfigFile, 'path' | 'sha256'>,
): Promise<void> {
  const place = placeOf(file);
  await change(home, (records) => [
    ...records.filter((record) => record.path !== place),
    { path: place, sha256, at: new Date().toISOString() },
  ]);
}

/**
 * Records that the user no longer trusts these configs.
 * @returns the paths of those that were trusted
 */
export async function removeTrust(home: string, files: readonly string[]): Promise<readonly string[]> {
  const places = new Set(files.map(placeOf));
  let removed: readonly string[] = [];
  await change(home, (records) => {
    removed = records.flatMap((record) => (places.has(record.path) ? [record.path] : []));
    return records.filter((record) => !places.has(record.path));
  });
  return removed;
}

/** Commands that change the file at the same time wait for each other. */
async function change(home: string, edit: (records: readonly TrustRecord[]) => readonly TrustRecord[]): Promise<void> {
  const file = trustFile(home);
  await withFileLock(`${file}.lock`, async () => {
    const before = await readTrust(home);
    const configs = edit(before);
    if (configs.length === 0 && before.length === 0) return;
    writeWhole(file, `${JSON.stringify({ version: 1, configs }, null, 2)}\n`, { isDurable: true });
  });
}

/**
 * One working folder has one name, however it is written. A link inside it is not followed: a repository could lead it
 * to a config that is trusted elsewhere.
 */
function placeOf(file: string): string {
  const folder = workingFolderOf(path.resolve(file)) ?? path.dirname(file);
  return path.join(realPath(folder), path.relative(folder, path.resolve(file)));
}
