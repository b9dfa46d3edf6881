/** A regular file that may be indexed. */
export interface WalkedFile {
  readonly kind: 'file';
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

/** A file or folder that could not be looked at; the rest goes on. */
export interface WalkFailure {
  readonly kind: 'failure';
  /** Relative to the root, with `/`; `.` for the root. */
  readonly path: string;
  /** For people: says where, and what was wrong. */
  readonly reason: string;
}

/** A file that is left out for its size; it is named so that users are not surprised. */
export interface OversizedFile {
  readonly kind: 'oversized';
  readonly path: string;
  readonly size: number;
}

export type Walked = WalkedFile | OversizedFile | WalkFailure;
