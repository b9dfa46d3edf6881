/** The kind of thing that a path names. */
export type FileState =
  | { readonly kind: 'missing' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'link'; readonly target: string }
  | {
      readonly kind: 'file';
      readonly mode: number;
      readonly size: number;
      /** SHA-256; absent if the file is too large to be looked through. */
      readonly hash?: string | undefined;
    };

/** One step of a change. Paths are absolute, without links within the root. */
export type ChangePart =
  | { readonly kind: 'put'; readonly path: string; readonly before: FileState; readonly after: FileState }
  | { readonly kind: 'move'; readonly from: string; readonly to: string; readonly moved: FileState };

/** A change that is about to be made in the workspace. */
export interface NewChange {
  readonly session: string;
  /** The client's name, as it gives it. */
  readonly client?: string | undefined;
  /** The tool, or `undo`. */
  readonly tool: string;
  /** The folders of the workspace that it is in. */
  readonly roots: readonly string[];
  /** The parts of the change, in the order in which they are made. */
  readonly parts: readonly ChangePart[];
  /** The content of the one file that it replaces or removes. */
  readonly bytes?: Uint8Array | undefined;
  /** The change that this one undoes. */
  readonly undoes?: number | undefined;
}

export interface StoredChange extends Omit<NewChange, 'bytes'> {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** `begun` is what may have been done or not: the process that was at it has ended. */
  readonly state: 'begun' | 'done' | 'undone';
  /** The name of the machine that it was made on, where that is another one; its paths mean nothing here. */
  readonly elsewhere?: string | undefined;
}

export interface ChangeQuery {
  readonly session?: string | undefined;
  /** True for only those that are not undone and are not an undo themselves. */
  readonly isOpen?: boolean | undefined;
  /** True for only those that are not confirmed as made. */
  readonly isBegun?: boolean | undefined;
  /** Made on which machines; on this one if absent. */
  readonly machines?: 'this' | 'others' | 'all' | undefined;
  readonly limit: number;
}

/**
 * Changes of the workspace, kept so that they can be undone; the oldest of this machine go when it has too many. Several
 * machines may share a database.
 */
export interface ChangeStore {
  /** Gives the number by which it is known. */
  add(change: NewChange): Promise<number>;
  /**
   * Runs synchronous work while no other process with the same store runs any: of two gateways that look at a file and
   * replace it, the second one sees what the first has done.
   */
  alone(work: () => void): Promise<void>;
  /** Marks a change as made; the change that it undoes is marked as well. */
  settle(id: number): Promise<void>;
  /** Removes a change that was not made after all. */
  drop(id: number): Promise<void>;
  /** Gives a change of any machine. */
  get(id: number): Promise<StoredChange | undefined>;
  bytesOf(id: number): Promise<Uint8Array | undefined>;
  /** The newest first. */
  list(query: ChangeQuery): Promise<readonly StoredChange[]>;
  close(): Promise<void>;
}
