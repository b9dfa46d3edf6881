/** An upstream lists a uri, or has named it in an answer. Of several claims of one uri the first counts. */
export type UriClaim = ListedUri | NamedUri;

export interface ListedUri {
  /** The upstream's key. */
  readonly key: string;
  readonly uri: string;
}

/** Uris in answers may be secrets, such as signed addresses: only a digest is kept. */
export interface NamedUri {
  readonly key: string;
  readonly digest: string;
}

/** A record that all claims of an upstream end, because its entry has left the config. */
export interface UriRelease {
  readonly released: string;
}

export type UriRecord = UriClaim | UriRelease;

/**
 * Records of who owns which uri, in the order that counts for all gateways of a config, which may run at the same time.
 * Never throws: what cannot be written holds in this process until it ends, and the log says so.
 */
export interface UriLog {
  /** Returns all records. */
  read(): readonly UriRecord[];
  /**
   * Adds records. Returns those that came since the last `read`, `append` or `replace`, in order: others' as well as these.
   * `undefined` when the log was replaced meanwhile and must be read as a whole; then nothing was added.
   */
  append(records: readonly UriRecord[]): readonly UriRecord[] | undefined;
  /** Puts fewer records with the same meaning in the place of all there are. */
  replace(records: readonly UriRecord[]): void;
}

/** Keeps nothing between runs. */
export const NO_URI_LOG: UriLog = { read: () => [], append: (records) => records, replace: () => undefined };
