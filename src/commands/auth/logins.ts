import { brokenReason } from '../../config/upstreams/broken-entry.ts';
import type { Environment } from '../../core/settings/environment.ts';
import type { LoginAuth, RemoteEntry, UpstreamAuth, UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { CredentialNote } from '../../core/stores/credentials.ts';
import { cutText } from '../../core/text/clean-text.ts';
import { nameHint } from '../../core/text/name-hint.ts';
import { openCredentialStore } from '../../gateway/providers/credential-store.ts';
import type { Settings } from '../../gateway/settings/load-settings.ts';
import type { Revocation } from '../../upstream/auth/logout.ts';

type LoginState = 'logged-in' | 'expired' | 'logged-out';

/** The authentication of one upstream. Holds no token. */
export interface AuthLine {
  readonly upstream: string;
  /** The type of `auth`; `headers` or none if the entry has no `auth`. */
  readonly type: 'headers' | 'none' | 'oauth' | 'client-credentials' | 'private-key-jwt';
  /** State of a login: whether there is one, and whether its tokens are valid. */
  readonly state?: LoginState;
  readonly login?: ShownNote;
}

type ShownNote = Omit<CredentialNote, 'upstream' | 'savedAt' | 'expiresAt'> & {
  readonly savedAt: string;
  readonly expiresAt?: string;
};

interface LoginWay {
  readonly signal: AbortSignal;
  onUrl(url: string): void;
}

/** Upper bound of an error text, which can come from a server. */
const MAX_MESSAGE = 1_000;

/** Logins of the user of this machine to the upstreams of a config. */
export class Logins {
  readonly #settings: Settings;
  readonly #env: Environment;
  readonly #store: ReturnType<typeof openCredentialStore>;

  constructor(settings: Settings, env: Environment) {
    this.#settings = settings;
    this.#env = env;
    this.#store = openCredentialStore({ ...settings, env });
  }

  /** @throws Error when there is no such upstream, or it has no login, or the login fails */
  async login(key: string, way: LoginWay): Promise<AuthLine> {
    const { entry, auth } = this.#entryWithLogin(key);
    const { login } = await import('../../upstream/auth/login.ts');
    const onSecrets = (secrets: readonly string[]) => {
      for (const secret of secrets) this.#settings.masker.add(secret);
    };
    try {
      await login({ entry, auth, store: this.#store, env: this.#env, onSecrets, ...way });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(cutText(this.#settings.masker.mask(message), MAX_MESSAGE), { cause: error });
    }
    return this.#lineOf(entry);
  }

  /** @throws Error when there is no such upstream, or there are never tokens for it */
  async logout(key: string): Promise<Revocation> {
    const { logout } = await import('../../upstream/auth/logout.ts');
    return logout({ ...this.#entryWithAuth(key), store: this.#store, env: this.#env });
  }

  /** @throws Error when there is no such upstream */
  status(key: string | undefined): AuthLine[] {
    const entries = key === undefined ? this.#settings.config.upstreams : [this.#entry(key)];
    return entries.filter(isRemote).map((entry) => this.#lineOf(entry));
  }

  #lineOf(entry: RemoteEntry): AuthLine {
    const { key, auth, headers } = entry;
    if (auth === undefined) return { upstream: key, type: Object.keys(headers).length === 0 ? 'none' : 'headers' };
    const note = this.#store.note(entry);
    const state = auth.type === 'oauth' ? ({ state: note === undefined ? 'logged-out' : stateOf(note) } as const) : {};
    return { upstream: key, type: auth.type, ...state, ...(note !== undefined && { login: shownNote(note) }) };
  }

  #entryWithLogin(key: string): { entry: RemoteEntry; auth: LoginAuth } {
    const { entry, auth } = this.#entryWithAuth(key);
    if (auth.type === 'oauth') return { entry, auth };
    throw new Error(
      `nobody logs in to upstreams.${key}: auth.type is ${auth.type}. What is wrong with it is put right in the config; then: viaduct sync ${key}`,
    );
  }

  #entryWithAuth(key: string): { entry: RemoteEntry; auth: UpstreamAuth } {
    const entry = this.#entry(key);
    if (!isRemote(entry)) throw new Error(`upstreams.${key} is a program: put its credentials into its env`);
    if (entry.auth !== undefined) return { entry, auth: entry.auth };
    throw new Error(`upstreams.${key} needs no login: it has headers, or auth: none`);
  }

  #entry(key: string): UpstreamEntry {
    const { upstreams, disabled, broken } = this.#settings.config;
    const all = [...upstreams, ...disabled];
    const found = all.find((entry) => entry.key === key);
    if (found !== undefined) return found;
    const faulty = broken.find((entry) => entry.key === key);
    if (faulty !== undefined) throw new Error(`upstreams.${key} has a fault: ${brokenReason(faulty)}`);
    const known = [...all, ...broken].map((entry) => entry.key);
    throw new Error(`There is no upstream "${key}". ${nameHint(key, known)}`);
  }
}

const isRemote = (entry: UpstreamEntry): entry is RemoteEntry => entry.url !== undefined;

function shownNote({ upstream: _upstream, savedAt, expiresAt, ...rest }: CredentialNote): ShownNote {
  return {
    ...rest,
    savedAt: new Date(savedAt).toISOString(),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

/** Tokens that can be refreshed stay usable after they expire. */
function stateOf({ hasTokens, isRenewable, expiresAt }: CredentialNote): LoginState {
  if (!hasTokens) return 'logged-out';
  return !isRenewable && expiresAt !== undefined && expiresAt <= Date.now() ? 'expired' : 'logged-in';
}
