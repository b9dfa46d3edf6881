/** A tool's definition as its upstream gave it: the members that a model or a client goes by. */
export type ToolDefinition = Readonly<Record<string, unknown>>;

export interface PinnedDefinition {
  /** SHA-256 of the definition's canonical JSON, in hex. */
  readonly hash: string;
  readonly definition: ToolDefinition;
  /** When it was approved, or first seen; ISO 8601. */
  readonly since: string;
}

/** What is known of one tool. At least one of the two is there. */
export interface Pin {
  readonly approved?: PinnedDefinition;
  /** What the upstream offers instead, as long as nobody has approved it. */
  readonly pending?: PinnedDefinition & { readonly isWithheld: boolean };
}

/** By the upstream's own name of the tool. */
export type PinBook = ReadonlyMap<string, Pin>;

/**
 * What a store has of an upstream: its pins; `none` before it was listed for the first time; `damaged` once, when the
 * file was no longer readable as pins and an empty set took its place; `unreadable` while the file cannot be opened.
 */
export type StoredPins = PinBook | 'none' | 'damaged' | 'unreadable';

/** Keeps what was approved of the tools of a config's upstreams. Never throws; what fails is in the log. */
export interface PinStore {
  load(upstream: string): StoredPins;
  /** `isDurable`: it is on the disk before this returns, which takes its time. */
  save(upstream: string, pins: PinBook, isDurable?: boolean): void;
  /** Keys of the upstreams of which pins are kept. */
  upstreams(): readonly string[];
}
