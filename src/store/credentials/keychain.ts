/** The keychain of the operating system. All methods throw the system's error. */
export interface Keychain {
  read(account: string): Promise<string | undefined>;
  write(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

const SERVICE = 'viaduct';
const PROBE = 'probe';
/** A locked keychain asks its user, who may not be there. */
const PATIENCE_MS = 30_000;

/**
 * Returns the keychain of this system; `undefined` if there is none that works. On Linux only the Secret Service counts: the
 * kernel's keyring forgets everything at the next start.
 */
export async function openKeychain(): Promise<Keychain | undefined> {
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    const entry = (account: string) => new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } });
    const signal = () => AbortSignal.timeout(PATIENCE_MS);
    // The first call of all may fail though the next one works.
    await twice(() => entry(PROBE).getPassword(signal()));
    return {
      read: async (account) => (await twice(() => entry(account).getPassword(signal()))) ?? undefined,
      write: async (account, secret) => twice(() => entry(account).setPassword(secret, signal())),
      remove: async (account) => {
        await twice(() => entry(account).deletePassword(signal()));
      },
    };
  } catch {
    return undefined;
  }
}

async function twice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch {
    return work();
  }
}
