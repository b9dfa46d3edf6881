/** An entry as it is in the file, of any shape. */
export interface PlacedEntry {
  readonly key: string;
  readonly entry: unknown;
  /** The line of its key, counted from 1. */
  readonly line: number;
}
