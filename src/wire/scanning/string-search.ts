export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
const FIRST_ALLOWED = 0x20;
/** Shorter ranges are looked through byte by byte: a view of words would cost more than it saves. */
const WORTH_WORDS = 64;

const ONES = 0x01010101;
const HIGH_BITS = ONES * 0x80;

/** Returns where the string ends in which `from` is, `from` standing behind no escape; `to` where it does not end before that. */
export function closingQuote(piece: Buffer, from: number, to: number): number {
  for (let at = from; ; at++) {
    at = piece.indexOf(QUOTE, at);
    if (at === -1 || at >= to) return to;
    if (!isEscaped(piece, from, at)) return at;
  }
}

/** Returns true if an odd number of backslashes is in front of `at`, looking back no farther than `from`. */
export function isEscaped(piece: Buffer, from: number, at: number): boolean {
  let first = at;
  while (first > from && piece[first - 1] === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

/**
 * Returns the index of the first byte below 0x20 in `piece` from `from` to `to`, or -1. JSON forbids these bytes in
 * strings (RFC 8259, section 7). Long ranges are read in words of four bytes.
 */
export function controlCharacterIn(piece: Buffer, from: number, to: number): number {
  let at = from;
  if (to - from >= WORTH_WORDS) {
    const aligned = from + ((4 - ((piece.byteOffset + from) & 3)) & 3);
    const head = byteBelow(piece, from, aligned);
    if (head !== -1) return head;
    at = aligned + 4 * cleanWords(new Int32Array(piece.buffer, piece.byteOffset + aligned, (to - aligned) >> 2));
  }
  return byteBelow(piece, at, to);
}

/** Returns how many words from the start have no control character. May stop early: the rest is then looked through by bytes. */
function cleanWords(words: Int32Array): number {
  const end = words.length - (words.length % 4);
  let at = 0;
  for (; at < end; at += 4) {
    const found = below(words[at]!) | below(words[at + 1]!) | below(words[at + 2]!) | below(words[at + 3]!);
    if ((found & HIGH_BITS) !== 0) break;
  }
  return at;
}

/** The high bit of a byte is set where that byte is below 0x20; a borrow sets others only above such a byte. */
function below(word: number): number {
  return (word - ONES * FIRST_ALLOWED) & ~word;
}

function byteBelow(piece: Buffer, from: number, to: number): number {
  for (let at = from; at < to; at++) if (piece[at]! < FIRST_ALLOWED) return at;
  return -1;
}
