/** A tool's definition as its upstream gave it: the members that a model or a client goes by. */
export type ToolDefinition = Readonly<Record<string, unknown>>;

export interface PinnedDefinition {
  /** SHA-256 of the definition's canonical JSON, in hex. */
  readonly hash: string;
  readonly definition: ToolDefinition;
  /** The time at which it was approved or first seen, ISO 8601. */
  readonly since: string;
}

/** The stored state of one tool. At least one of the two members is there. */
export interface Pin {
  readonly approved?: PinnedDefinition;
  /** The form that the upstream offers instead, until it is approved. */
  readonly pending?: PinnedDefinition & { readonly isWithheld: boolean };
}

/** The pins, by the upstream's own name of the tool. */
export type PinBook = ReadonlyMap<string, Pin>;

/**
 * The stored pins of an upstream: `none` before it was listed for the first time; `damaged` once, when the
 * file was no longer readable as pins and an empty set took its place; `unreadable` while the file cannot be opened.
 */
export type StoredPins = PinBook | 'none' | 'damaged' | 'unreadable';

/** Keeps what was approved of the tools of a config's upstreams. */
export interface PinStore {
  /** Never throws; the log says what failed. */
  load(upstream: string): StoredPins;
  /** Saves what was noted. Never throws: what cannot be written holds until the process ends, and the log says so. */
  save(upstream: string, pins: PinBook): void;
  /**
   * Saves what a person has approved; it is on the disk when this returns.
   * @throws GatewayError when it cannot be written: nothing is approved then
   */
  approve(upstream: string, pins: PinBook): void;
  /** Keys of the upstreams of which pins are kept. */
  upstreams(): readonly string[];
}
