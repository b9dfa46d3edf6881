/** One upstream's address and settings: a config entry after parsing, with every default filled in. */
export type UpstreamEntry = StdioEntry | RemoteEntry | WindowsEntry;

/** A program that we start. `${VAR}` references are already resolved, here as in all entries. */
export interface StdioEntry extends EntryRules {
  readonly url?: undefined;
  readonly ports?: undefined;
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the allow-listed environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute folder in which the process runs; relative commands and arguments mean files there. */
  readonly cwd: string;
  /** Hand over the gateway's whole environment instead of the allow-list. */
  readonly inheritEnv: boolean;
}

/** A server that is there already. */
export interface RemoteEntry extends EntryRules {
  readonly ports?: undefined;
  /** True if no type was written: an http url may belong to a server of the first HTTP transport (2024-11-05). */
  readonly isTypeGuessed?: boolean;
  readonly command?: undefined;
  readonly args?: undefined;
  readonly env?: undefined;
  readonly cwd?: undefined;
  /** The url; for a Unix socket, `unix://` and the absolute path, unencoded. */
  readonly url: string;
  /** Sent with each request, or when the connection is made; their values are secrets. None if there is no HTTP. */
  readonly headers: Readonly<Record<string, string>>;
  /** The way to get an access token; absent if `headers` are all that is needed. */
  readonly auth?: UpstreamAuth;
  /** TLS settings beyond the certificates that Node.js trusts. */
  readonly tls?: UpstreamTls | undefined;
}

/** Certificates and keys are PEM: an absolute path, or the text itself. */
export interface UpstreamTls {
  /** Trusted instead of those that Node.js trusts. */
  readonly ca?: string | undefined;
  /** Ours, and its key. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly passphrase?: string | undefined;
  /** The name that the server's certificate must be for, if that is not the host of the url. */
  readonly serverName?: string | undefined;
  /** True if a server without a valid certificate is refused. */
  readonly verify: boolean;
}

/** The windows of an IDE whose plug-in is looked for on ports of this machine. */
export interface WindowsEntry extends EntryRules {
  readonly url?: undefined;
  readonly command?: undefined;
  readonly args?: undefined;
  readonly env?: undefined;
  readonly cwd?: undefined;
  readonly headers?: undefined;
  readonly ports: readonly number[];
  /** The folder whose window is meant, absolute; without one it is the window of the client's own folder. */
  readonly workspace: string | undefined;
}

/** The way to get an access token for a server: a user logs in, or the gateway identifies itself. */
export type UpstreamAuth = LoginAuth | SecretAuth | KeyAuth;

interface AuthRules {
  /** The only issuer that is used; absent if the upstream's own word for it counts. */
  readonly issuer?: string | undefined;
  /** Absent if the upstream says which it needs. */
  readonly scopes?: readonly string[] | undefined;
}

/** OAuth with a user in a browser. */
export interface LoginAuth extends AuthRules {
  readonly type: 'oauth';
  /** The config asks for it; otherwise it is what is tried when a server wants to know who we are. */
  readonly isWritten: boolean;
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly clientMetadataUrl?: string | undefined;
  readonly callbackPort?: number | undefined;
}

/** OAuth client credentials with a shared secret. */
export interface SecretAuth extends AuthRules {
  readonly type: 'client-credentials';
  readonly clientId: string;
  readonly clientSecret: string;
}

/** OAuth client credentials with a signed assertion (RFC 7523). */
export interface KeyAuth extends AuthRules {
  readonly type: 'private-key-jwt';
  readonly clientId: string;
  /** PKCS #8 in PEM, or the absolute path of a file with it. */
  readonly key: string;
  readonly alg: string;
}

/** The members of every entry, however its upstream is reached. */
interface EntryRules {
  /** The name of the transport (see src/upstream/transports/manifests). */
  readonly type: string;
  /** The key under `upstreams` in the config; names the upstream in status, logs and errors. */
  readonly key: string;
  /** Put in front of tool and prompt names with `_`; `''` leaves names as they are. */
  readonly prefix: string;
  /** The owner of a process: all clients, each client, all clients in one folder, or all clients until the upstream asks. */
  readonly share: 'auto' | 'gateway' | 'session' | 'folder';
  readonly restart: 'never' | 'on-demand' | 'always';
  /** When it starts once its lists are known: with the gateway or with the first call. Absent: see `isLazy`. */
  readonly start?: 'lazy' | 'eager' | undefined;
  /** The time without use after which a lazy upstream is stopped, in milliseconds; 0 for never. */
  readonly idleStopMs: number;
  /** It keeps nothing between calls, so it may be stopped while the clients that have called it are connected. */
  readonly stateless: boolean;
  /** The opening: `initialize`, none (the revision that does not need it), or a request that finds out. */
  readonly era: 'auto' | 'legacy' | '2026-07-28';
  readonly timeouts: UpstreamTimeouts;
  /** Calls under way at one time; more wait in order. */
  readonly maxConcurrency: number;
  readonly tools: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly validation: 'off' | 'warn' | 'enforce';
  /** The treatment of tools that differ from their approved form: nothing, a note, or they are withheld from clients. */
  readonly pins: 'off' | 'warn' | 'enforce';
  /** Fill in missing `readOnlyHint`/`destructiveHint` annotations from the tool's name. */
  readonly inferHints: boolean;
  /** Pass the upstream's `instructions` on to clients. */
  readonly instructions: boolean;
}

/** All in milliseconds. */
export interface UpstreamTimeouts {
  /** From spawn, or the first request, to the end of the handshake. */
  readonly connectMs: number;
  /** Silence of a list after which it counts as failed; a late answer is still taken. */
  readonly listMs: number;
  /** Longest pause before a list that failed is asked for again. */
  readonly listPauseMs: number;
  /** The longest silence of a call, in milliseconds; a progress notification restarts it. */
  readonly callMs: number;
  /** The whole of a call, progress or not. */
  readonly totalMs: number;
}

export const DEFAULT_TIMEOUTS: UpstreamTimeouts = {
  connectMs: 30_000,
  listMs: 15_000,
  listPauseMs: 30_000,
  callMs: 60_000,
  totalMs: 600_000,
};

/** The facts that a workflow knows about the upstream that it brings along. */
export interface UpstreamTraits {
  /** The workflow's name: clients that may see the workflow may see the upstream. */
  readonly workflow?: string;
  /** Calls whose arguments agree in one of these run one after the other. */
  readonly oneAtATimeBy: readonly string[];
  /** Advice for users while a list is not answered; `''` if there is nothing special to say. */
  readonly waitingHint: string;
  /** Silence means that it asks its user: a list that is not answered is asked for again only when it shows a sign of life. */
  readonly asksUser?: boolean;
  /** Says what brings a connection back that has ended, or is not there; `viaduct sync` if absent. */
  readonly againHint?: string;
  /** A sentence for readers of the notice that a tool differs from its approved version; `''` for none. */
  readonly changeHint: string;
}

export const NO_TRAITS: UpstreamTraits = {
  oneAtATimeBy: [],
  waitingHint: '',
  changeHint: '',
};
