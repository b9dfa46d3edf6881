/** Facts by which a file is told from what it was, without reading it. */
export interface FileFacts {
  /** In bytes. */
  readonly size: number;
  readonly mtimeMs: number;
  readonly ino: number;
}

/** Returns whether a file is as it was, as far as these tell. */
export function areSameFacts(one: FileFacts, other: FileFacts): boolean {
  return one.mtimeMs === other.mtimeMs && one.size === other.size && one.ino === other.ino;
}
