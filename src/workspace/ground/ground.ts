/** The identity of a file or folder among all others on this machine. */
export interface Identity {
  readonly dev: bigint;
  readonly ino: bigint;
}

export function isSame(one: Identity, other: Identity): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

/** A folder that stays the one it was found to be, even if others change the path to it. */
export interface HeldFolder {
  readonly identity: Identity;
  /** A path to the folder itself, for as long as it is held. */
  readonly path: string;
  /**
   * Returns a path to something in it: only its last part is looked up. The system follows a link there unless told
   * otherwise.
   */
  at(name: string): string;
  /** Returns the present path, without links. */
  realPath(): Promise<string>;
  /**
   * @throws GatewayError if the way to it has changed: what was done by its path may have been done elsewhere, and what
   * follows would be.
   */
  verify(): void;
  /** Sees to it that the names in it are on the disk, as far as the system lets us. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The entry under a name in a folder. */
export type Found =
  | { readonly kind: 'folder'; readonly folder: HeldFolder }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'other' }
  | { readonly kind: 'locked' }
  | { readonly kind: 'missing' };

/** The way in which folders are held on one kind of system. */
export interface Ground {
  /** Opens a folder by its path, links followed: for folders that are trusted. */
  open(folder: string): Promise<HeldFolder>;
  /** Returns the entry under a name in a folder, without following it. A folder is opened. */
  enter(parent: HeldFolder, name: string): Promise<Found>;
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
