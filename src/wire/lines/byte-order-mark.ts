/** The mark in UTF-8 that some programs write in front of a text. */
export const BYTE_ORDER_MARK = Buffer.of(0xef, 0xbb, 0xbf);

/** Returns the first piece of a JSON text without a mark in front of it (RFC 8259, section 8.1: it may be ignored). */
export function withoutMark(first: Buffer): Buffer {
  return first.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    ? first.subarray(BYTE_ORDER_MARK.length)
    : first;
}
