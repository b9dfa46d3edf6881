/** `lost`: the gateway that ran it was killed, so its outcome is unknown. */
export type BuildStatus = 'running' | 'success' | 'failed' | 'cancelled' | 'lost';

/** A build that ran under the gateway. */
export interface Build {
  readonly id: string;
  /** The project whose folder it ran in; `undefined` if the folder is of none. */
  readonly projectId: string | undefined;
  readonly repo: string;
  readonly branch: string;
  readonly status: BuildStatus;
  /** The command line, without secrets. */
  readonly command: string;
  /** The process that runs it, as `stampText` spells it; tells whether it is still running. */
  readonly runner: string | undefined;
  /** Id of the machine that has its log, and how people call that machine. */
  readonly machine: string;
  readonly host: string;
  readonly exitCode: number | undefined;
  /** Milliseconds since 1970, as `endedMs`. */
  readonly startedMs: number;
  readonly endedMs: number | undefined;
  /** The reason why the end of its log is missing, such as a full disk; `undefined` if nothing is known to be missing. */
  readonly logFault: string | undefined;
}

/** The end of a build. */
export interface BuildEnd {
  readonly status: Exclude<BuildStatus, 'running'>;
  readonly exitCode?: number | undefined;
  /** Milliseconds since 1970. */
  readonly endedMs: number;
  readonly logFault?: string | undefined;
}

export type NewBuild = Omit<Build, 'status' | 'exitCode' | 'endedMs' | 'logFault'>;

export interface BuildQuery {
  /** Only builds of these projects; all if absent. */
  readonly projects?: readonly string[] | undefined;
  readonly repo?: string | undefined;
  /** Only builds that were started at this time or later, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** The largest number of builds to return, the newest first. */
  readonly limit: number;
}

/** Builds in the database, of all gateways that use it. */
export interface BuildStore {
  start(build: NewBuild): Promise<void>;
  /** Does nothing for a build that has ended already. */
  end(id: string, end: BuildEnd): Promise<void>;
  get(id: string): Promise<Build | undefined>;
  /** Newest first. */
  list(query: BuildQuery): Promise<readonly Build[]>;
  /** Returns the projects that have builds; `undefined` among them where a build is of none. */
  projects(): Promise<readonly (string | undefined)[]>;
  /** Removes the oldest builds of this machine that have ended, beyond the newest `keep`. Returns their ids. */
  prune(machine: string, keep: number): Promise<readonly string[]>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}
