/** Nesting that is accepted. The deepest of 2,990 tools of 90 real servers has 14 levels. */
export const DEFAULT_MAX_DEPTH = 256;

/**
 * Members or elements that the outermost value of a peer's text may have. A message has about five, and each that is kept
 * costs many times the two bytes that it may have in the text.
 */
export const MAX_PARTS = 100_000;

/**
 * Members that any object inside a peer's text may have. The gateway looks into some of these objects (params, results,
 * `_meta`, entries of lists), and keeps the spans of their members while it does.
 */
export const MAX_MEMBERS = 250_000;

/**
 * The number of bytes of each string in which bad escapes are found. The rest of longer strings (file contents, images)
 * is searched only for control characters and for its end: its escapes are checked by the reader's `JSON.parse`.
 */
export const CHECKED_STRING_BYTES = 4096;
