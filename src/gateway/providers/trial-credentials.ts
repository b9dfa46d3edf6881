import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import type { CredentialNote, CredentialStore, Credentials, Wanted } from '../../core/stores/credentials.ts';

/**
 * Credentials for a trial, which keeps nothing but the renewed tokens of a login: a server may refuse the old ones from
 * then on. Tokens that a machine gets for itself, and what a server asks for at the next login, are forgotten with it.
 */
export class TrialCredentials implements CredentialStore {
  readonly #kept: CredentialStore;
  readonly #wanted = new Map<string, Wanted>();
  readonly #ofMachines = new Map<string, Credentials>();

  constructor(kept: CredentialStore) {
    this.#kept = kept;
  }

  note(entry: RemoteEntry): CredentialNote | undefined {
    return this.#kept.note(entry);
  }

  async load(entry: RemoteEntry): Promise<Credentials | undefined> {
    return this.#ofMachines.get(entry.key) ?? (await this.#kept.load(entry));
  }

  async save(entry: RemoteEntry, credentials: Credentials): Promise<void> {
    if (isOfUser(entry)) await this.#kept.save(entry, credentials);
    else this.#ofMachines.set(entry.key, credentials);
  }

  async remove(entry: RemoteEntry): Promise<void> {
    if (isOfUser(entry)) await this.#kept.remove(entry);
    else this.#ofMachines.delete(entry.key);
  }

  wanted(entry: RemoteEntry): Wanted {
    return this.#wanted.get(entry.key) ?? this.#kept.wanted(entry);
  }

  want({ key }: RemoteEntry, wanted: Wanted): void {
    this.#wanted.set(key, wanted);
  }

  exclusively<Result>(entry: RemoteEntry, work: () => Promise<Result>): Promise<Result> {
    return isOfUser(entry) ? this.#kept.exclusively(entry, work) : work();
  }
}

const isOfUser = ({ auth }: RemoteEntry): boolean => auth?.type === 'oauth';
