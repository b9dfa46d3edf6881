/** The longest text of a document, in characters. */
export const MAX_TEXT = 16 * 1024 ** 2;
