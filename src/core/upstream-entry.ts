/** How one upstream is reached and treated: a config entry after parsing, with every default filled in. */
export type UpstreamEntry = StdioEntry | RemoteEntry;

/** A program that we start. `${VAR}` references are already resolved, here as in all entries. */
export interface StdioEntry extends EntryRules {
  readonly type: 'stdio';
  readonly url?: undefined;
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
  readonly type: 'http';
  readonly command?: undefined;
  readonly args?: undefined;
  readonly env?: undefined;
  readonly cwd?: undefined;
  readonly url: string;
  /** Sent with each request; their values are secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What every entry has, however its upstream is reached. */
interface EntryRules {
  /** The key under `upstreams` in the config; names the upstream in status, logs and errors. */
  readonly key: string;
  /** Put in front of tool and prompt names with `_`; `''` leaves names as they are. */
  readonly prefix: string;
  readonly share: 'gateway' | 'session';
  readonly restart: 'never' | 'on-demand' | 'always';
  /** Whether it opens with `initialize`, speaks the revision in which no request needs that, or is asked which. */
  readonly era: 'auto' | 'legacy' | '2026-07-28';
  readonly timeouts: UpstreamTimeouts;
  /** Calls under way at one time; more wait in order. */
  readonly maxConcurrency: number;
  readonly tools: { readonly allow: readonly string[]; readonly deny: readonly string[] };
  readonly validation: 'off' | 'warn' | 'enforce';
  /** What becomes of tools that are not as they were approved: nothing, a note, or clients do not get them. */
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
  /** A list that is silent for so long makes the upstream `waiting`; its late answer is still taken. */
  readonly listMs: number;
  /** Silence of a call; a progress notification begins it anew. */
  readonly callMs: number;
  /** The whole of a call, progress or not. */
  readonly totalMs: number;
}

export const DEFAULT_TIMEOUTS: UpstreamTimeouts = {
  connectMs: 30_000,
  listMs: 15_000,
  callMs: 60_000,
  totalMs: 600_000,
};

/** What a workflow knows of the upstream that it brings along. */
export interface UpstreamTraits {
  readonly workflow?: string;
  /** Calls whose arguments agree in one of these run one after the other. */
  readonly oneAtATimeBy: readonly string[];
  /** Told to users while the upstream is connected but silent. */
  readonly waitingHint: string;
  /** A sentence for whoever reads that a tool is not as it was approved; `''` for none. */
  readonly changeHint: string;
}

export const NO_TRAITS: UpstreamTraits = {
  oneAtATimeBy: [],
  waitingHint: 'It is connected but does not answer tools/list; its answer is taken whenever it comes',
  changeHint: '',
};
