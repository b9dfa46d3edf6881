import path from 'node:path';
import { ConfigError } from '../../config/findings/config-error.ts';
import { readConfigDocument } from '../../config/load.ts';
import { folderConfigs, isThere, readOwnConfig, type Trust } from '../../config/source/find.ts';
import { MISSING } from '../../config/source/missing-config.ts';
import { addTrust, readTrust, removeTrust, type TrustRecord, trustOf } from '../../gateway/trust/trust-file.ts';

/** The config of a working folder, read once: what is shown is what is trusted. */
export interface FolderConfig {
  readonly path: string;
  readonly sha256: string;
  readonly trust: Trust;
  /** Its content before variables are replaced. */
  readonly value: unknown;
}

/** A config that was trusted, and whether it still is as it was then. */
export interface TrustLine extends TrustRecord {
  readonly state: 'trusted' | 'changed' | 'gone' | 'unusable';
}

/** Decides on behalf of the user which configs of working folders are used. */
export class TrustedFolders {
  readonly #home: string;

  /** @param home `$VIADUCT_HOME` */
  constructor(home: string) {
    this.#home = home;
  }

  /**
   * Reads the config that a folder has. Runs nothing of it.
   * @throws Error if the folder has none; ConfigError if it cannot be read, or if other users can change it
   */
  async read(folder: string): Promise<FolderConfig> {
    const candidates = folderConfigs(path.resolve(folder));
    const present = await Promise.all(candidates.map(isThere));
    const file = candidates.find((_, index) => present[index]);
    if (file === undefined) throw new Error(`there is no config to trust. Looked for: ${candidates.join(', ')}`);
    const config = await readOwnConfig({ path: file, scope: 'folder' });
    const { value } = readConfigDocument(config.text, file);
    return { path: file, sha256: config.sha256, trust: await trustOf(this.#home, config), value };
  }

  /** Trusts a config with the content that was read, and with no other one. */
  async trust(config: FolderConfig): Promise<void> {
    await addTrust(this.#home, config);
  }

  /** Stops trusting the configs of a folder. Returns the paths of those that were trusted. */
  remove(folder: string): Promise<readonly string[]> {
    return removeTrust(this.#home, folderConfigs(path.resolve(folder)));
  }

  /** Lists everything that was trusted, and what has become of it. */
  async list(): Promise<readonly TrustLine[]> {
    const records = await readTrust(this.#home);
    return Promise.all(records.map(async (record) => ({ ...record, state: await stateOf(record) })));
  }
}

async function stateOf({ path: file, sha256 }: TrustRecord): Promise<TrustLine['state']> {
  try {
    return (await readOwnConfig({ path: file, scope: 'folder' })).sha256 === sha256 ? 'trusted' : 'changed';
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.issues[0]?.message === MISSING ? 'gone' : 'unusable';
  }
}
