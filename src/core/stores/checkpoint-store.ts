/** A JSON object as it is stored: no code below the workflow reads its members. */
export type JsonObject = { [key: string]: unknown };

/** One revision of a project's bundle. */
export interface StoredBundle {
  readonly projectId: string;
  /** 1 for the first, one more with each change. */
  readonly revision: number;
  readonly bundle: JsonObject;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
  readonly sourceIde: string;
}

export interface RevisionInfo {
  readonly revision: number;
  readonly updatedAt: string;
  readonly sourceIde: string;
  /** The operation that made it: `save`, `append`, `update`, `import`. */
  readonly kind: string;
}

export interface ProjectInfo {
  readonly projectId: string;
  readonly revision: number;
  readonly updatedAt: string;
  readonly lastSourceIde: string;
}

/** The author of a change to a bundle, and the operation: kept with the revision. */
export interface ChangeFacts {
  readonly sourceIde: string;
  readonly kind: string;
  /** The time at which it was made, ISO 8601, UTC; absent for now. Imported checkpoints keep their time. */
  readonly at?: string;
}

/** Makes the next bundle of a project out of its newest one; `undefined` stands for a project that has none. */
export type BundleChanger<T> = (bundle: JsonObject | undefined) => ChangedBundle<T> | Promise<ChangedBundle<T>>;

interface ChangedBundle<T> {
  readonly bundle: JsonObject;
  /** The facts about the bundle from which an addition to it can be made; without them, appends read the bundle. */
  readonly note?: JsonObject;
  readonly outcome: T;
}

/** One more item at the end of a list of a bundle. */
export interface Addition<T> {
  readonly list: string;
  readonly item: unknown;
  /** Members that have other values with it; `null` removes one. */
  readonly members: JsonObject;
  /** The note of the bundle with the item. */
  readonly note: JsonObject;
  readonly outcome: T;
}

export interface BundleAppender<T> {
  /** Makes the addition out of the note of the newest bundle; `undefined` if it takes the bundle itself. */
  readonly addition: (note: JsonObject) => Addition<T> | undefined;
  /** Does the same with the bundle. */
  readonly change: BundleChanger<T>;
}

/** Bundles of all projects, with their history, shared by any number of gateway processes. */
export interface CheckpointStore {
  /** Returns the newest revision, or the given one; `undefined` if there is none. */
  load(projectId: string, revision?: number): Promise<StoredBundle | undefined>;
  /**
   * Makes the next revision out of the newest one. `change` gets the newest bundle and returns the next; it may be run
   * again, when another process was faster, and must have no other effects. What it throws passes. Once this resolves,
   * the revision survives `kill -9`. If `change` returns the very bundle it got, nothing is written.
   */
  update<T>(
    projectId: string,
    facts: ChangeFacts,
    change: BundleChanger<T>,
  ): Promise<{ readonly stored: StoredBundle; readonly outcome: T }>;
  /**
   * Makes the next revision by an addition to the newest one; what that costs does not depend on the size of the bundle.
   * Both functions of the appender may be run again, as that of `update`.
   */
  append<T>(projectId: string, facts: ChangeFacts, appender: BundleAppender<T>): Promise<T>;
  /** Newest first. */
  history(projectId: string, limit: number): Promise<readonly RevisionInfo[]>;
  /** Newest first. */
  projects(): Promise<readonly ProjectInfo[]>;
  /** Forgets a project with all its history; tells whether there was one. */
  remove(projectId: string): Promise<boolean>;
  /** Drops all but the newest `keep` revisions of one project, or of each; tells how many went. */
  prune(keep: number, projectId?: string): Promise<number>;
  /** Ids that were found for folders once: they stay, also when the folder's remote changes. */
  rememberIdentity(folderKey: string, projectId: string): Promise<void>;
  identityOf(folderKey: string): Promise<string | undefined>;
  /** Told of each project that was changed, by this process or another one. Returns how to stop that. */
  onChange(listener: (projectId: string) => void): () => void;
  close(): Promise<void>;
}
