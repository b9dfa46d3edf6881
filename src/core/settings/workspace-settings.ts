/** The config of the folders in which workflows may work. */
export interface WorkspaceSettings {
  /** None: the folder of each client is its workspace. One without a name is the workspace itself, others are folders in it. */
  readonly roots: readonly WorkspaceRoot[];
  /** More folders that clients may name that come over HTTP. Absolute. */
  readonly clientFolders: readonly string[];
  /** Globs of paths that tools may change although they are protected. */
  readonly unprotected: readonly string[];
  readonly undo: UndoLimits;
}

export interface WorkspaceRoot {
  readonly name?: string | undefined;
  /** Absolute. */
  readonly folder: string;
}

/** The amount of data kept so that changes can be undone. */
export interface UndoLimits {
  readonly changes: number;
  /** The limit for all changes together, packed. */
  readonly megabytes: number;
  /** The limit for one file, unpacked. */
  readonly fileMegabytes: number;
}
