import type { RemoteEntry } from '../settings/upstream-entry.ts';

/** The gateway's registration with an authorization server. */
export interface ClientIdentity {
  readonly id: string;
  readonly secret?: string;
  /** The way in which the secret is sent, if the server named one. */
  readonly authMethod?: string;
  /** To which it was registered; absent for one that the config gives. */
  readonly redirectUri?: string;
  /** For which it was registered: some servers give it no others. */
  readonly scope?: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** With spaces between. */
  readonly scope?: string;
  /** In milliseconds since the epoch, as are all times here. */
  readonly issuedAt: number;
  readonly expiresAt?: number;
}

/** The stored part of a login. All of it is secret. */
export interface Credentials {
  readonly issuer: string;
  /** The address of the issuer's metadata, where that is not its own. */
  readonly foundAt?: string;
  /** The resource that the tokens are for (RFC 8707). */
  readonly resource: string;
  readonly client: ClientIdentity;
  /** Absent after they were refused for good: the client may go on as it is. */
  readonly tokens?: Tokens;
}

/** The part of the credentials that people may see. */
export interface CredentialNote {
  readonly upstream: string;
  /** Without its query. */
  readonly url: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly hasTokens: boolean;
  readonly isRenewable: boolean;
  readonly scope?: string;
  readonly expiresAt?: number;
  readonly savedAt: number;
  readonly keptIn: 'keychain' | 'file';
}

/** The scopes and resource that an upstream asked for when it refused a request: the next login asks for them. */
export interface Wanted {
  readonly scope?: string;
  readonly resourceMetadata?: string;
}

/** Keeps credentials for all processes of this user. */
export interface CredentialStore {
  /** `undefined` if there was no login. Opens no keychain. */
  note(entry: RemoteEntry): CredentialNote | undefined;
  load(entry: RemoteEntry): Promise<Credentials | undefined>;
  save(entry: RemoteEntry, credentials: Credentials): Promise<void>;
  remove(entry: RemoteEntry): Promise<void>;
  wanted(entry: RemoteEntry): Wanted;
  want(entry: RemoteEntry, wanted: Wanted): void;
  /** Runs `work` while no other process runs any for this entry. */
  exclusively<T>(entry: RemoteEntry, work: () => Promise<T>): Promise<T>;
}
