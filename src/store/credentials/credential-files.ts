import { createHash } from 'node:crypto';
import { readFileSync, rmSync, watch } from 'node:fs';
import path from 'node:path';
import { shownUrl } from '../../core/addresses/shown-url.ts';
import { makeFolder } from '../../core/folders/make-folder.ts';
import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import type { CredentialNote, CredentialStore, Credentials, Wanted } from '../../core/stores/credentials.ts';
import { sweepDraftsOnce } from '../drafts.ts';
import { withFileLock } from '../file-lock.ts';
import { writeWhole } from '../write-whole.ts';
import { type Keychain, openKeychain } from './keychain.ts';

const VERSION = 1;

interface CredentialFile {
  readonly version: number;
  readonly note: CredentialNote;
  /** Absent if the keychain has them. */
  readonly credentials?: Credentials;
}

export interface CredentialFilesOptions {
  readonly folder: string;
  /** True if the keychain of the system may be used. */
  readonly usesKeychain: boolean;
  onError(error: unknown, message: string): void;
}

/**
 * Keeps credentials in the system's keychain if there is one, otherwise in files that only this user can read. An entry
 * has a file in both cases, which records what is stored and that it changed.
 */
export class CredentialFiles implements CredentialStore {
  readonly #options: CredentialFilesOptions;
  #keychain: Promise<Keychain | undefined> | undefined;

  constructor(options: CredentialFilesOptions) {
    this.#options = options;
  }

  note(entry: RemoteEntry): CredentialNote | undefined {
    return this.#read(entry)?.note;
  }

  async load(entry: RemoteEntry): Promise<Credentials | undefined> {
    const file = this.#read(entry);
    if (file === undefined || file.credentials !== undefined) return file?.credentials;
    const keychain = await this.#openKeychain();
    const text = await keychain?.read(nameOf(entry));
    return text === undefined ? undefined : (JSON.parse(text) as Credentials);
  }

  async save(entry: RemoteEntry, credentials: Credentials): Promise<void> {
    const isInKeychain = await this.#saveInKeychain(entry, credentials);
    const content: CredentialFile = {
      version: VERSION,
      note: noteOf(entry, credentials, isInKeychain ? 'keychain' : 'file'),
      ...(!isInKeychain && { credentials }),
    };
    writeWhole(this.#fileOf(entry), JSON.stringify(content), { isDurable: true });
  }

  /** @throws Error when they are in a keychain that does not let go of them: then nothing is forgotten */
  async remove(entry: RemoteEntry): Promise<void> {
    if (this.note(entry)?.keptIn === 'keychain') {
      const keychain = await this.#openKeychain();
      if (keychain === undefined)
        throw new Error('its tokens are in the keychain of the system, which is out of reach');
      await keychain.remove(nameOf(entry));
    }
    rmSync(this.#fileOf(entry), { force: true });
    rmSync(this.#wantedFileOf(entry), { force: true });
  }

  wanted(entry: RemoteEntry): Wanted {
    return (readJson(this.#wantedFileOf(entry)) ?? {}) as Wanted;
  }

  want(entry: RemoteEntry, wanted: Wanted): void {
    const text = JSON.stringify(wanted);
    try {
      if (JSON.stringify(this.wanted(entry)) !== text) writeWhole(this.#wantedFileOf(entry), text);
    } catch (error) {
      this.#options.onError(error, 'what an upstream asks for at the next login could not be kept');
    }
  }

  exclusively<T>(entry: RemoteEntry, work: () => Promise<T>): Promise<T> {
    return withFileLock(path.join(this.#options.folder, `${nameOf(entry)}.lock`), work);
  }

  /** Tells when credentials may have changed, until the function that it returns is called. Keeps no process alive. */
  watch(onChange: () => void): () => void {
    try {
      makeFolder(this.#options.folder, 0o700);
      // Drafts of a gateway that was killed have tokens in them.
      sweepDraftsOnce(this.#options.folder);
      const watcher = watch(this.#options.folder, { persistent: false }, (_event, file) => {
        if (file === null || file.endsWith('.json')) onChange();
      });
      watcher.on('error', (error) => this.#options.onError(error, 'logins are no longer noticed'));
      return () => watcher.close();
    } catch (error) {
      this.#options.onError(error, 'logins are not noticed');
      return () => undefined;
    }
  }

  /** A keychain may refuse a text for its length, or be locked. */
  async #saveInKeychain(entry: RemoteEntry, credentials: Credentials): Promise<boolean> {
    const keychain = await this.#openKeychain();
    if (keychain === undefined) return false;
    try {
      await keychain.write(nameOf(entry), JSON.stringify(credentials));
      return true;
    } catch (error) {
      this.#options.onError(error, 'the keychain did not take the tokens; they are kept in a file');
      return false;
    }
  }

  #openKeychain(): Promise<Keychain | undefined> {
    this.#keychain ??= this.#options.usesKeychain ? openKeychain() : Promise.resolve(undefined);
    return this.#keychain;
  }

  #read(entry: RemoteEntry): CredentialFile | undefined {
    const file = readJson(this.#fileOf(entry)) as CredentialFile | undefined;
    return file?.version === VERSION ? file : undefined;
  }

  #fileOf(entry: RemoteEntry): string {
    return path.join(this.#options.folder, `${nameOf(entry)}.json`);
  }

  #wantedFileOf(entry: RemoteEntry): string {
    return path.join(this.#options.folder, `${nameOf(entry)}.wanted`);
  }
}

function noteOf(entry: RemoteEntry, credentials: Credentials, keptIn: CredentialNote['keptIn']): CredentialNote {
  const { issuer, client, tokens } = credentials;
  return {
    upstream: entry.key,
    url: shownUrl(entry.url),
    issuer,
    clientId: client.id,
    hasTokens: tokens !== undefined,
    isRenewable: tokens?.refreshToken !== undefined || (tokens !== undefined && isMachine(entry)),
    ...(tokens?.scope !== undefined && { scope: tokens.scope }),
    ...(tokens?.expiresAt !== undefined && { expiresAt: tokens.expiresAt }),
    savedAt: Date.now(),
    keptIn,
  };
}

/** The gateway gets its tokens by itself. */
const isMachine = ({ auth }: RemoteEntry): boolean => auth !== undefined && auth.type !== 'oauth';

/**
 * Returns the name of an entry's file. Another url is another server, and another client or authorization server
 * another login. A user who logs in again is asked for other scopes; if there is no user, other scopes need other
 * tokens.
 */
function nameOf(entry: RemoteEntry): string {
  const { key, url, auth } = entry;
  const { clientId, issuer } = { clientId: undefined, issuer: undefined, ...auth };
  const hash = createHash('sha256')
    .update(JSON.stringify([url, clientId, issuer, ...(isMachine(entry) ? [auth?.type, auth?.scopes] : [])]))
    .digest('hex')
    .slice(0, 16);
  return `${key}-${hash}`;
}

/** Returns `undefined` for a file that is missing or damaged: the user then has to log in again. */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
