import { StringDecoder } from 'node:string_decoder';

const ESC = '\\u001b';

/** Sequences that a terminal obeys: control strings with their payload (OSC, DCS and the like), CSI sequences, other escapes. */
const TERMINAL_SEQUENCES = new RegExp(
  [
    `(?:${ESC}[\\]PX^_]|[\\u0090\\u0098\\u009d-\\u009f])[^\\u0007\\u001b\\u0090\\u0098\\u009c-\\u009f]*(?:\\u0007|${ESC}\\\\|\\u009c)`,
    `(?:${ESC}\\[|\\u009b)[0-?]*[ -/]*[@-~]`,
    `${ESC}[ -/]*[0-~]`,
  ].join('|'),
  'g',
);

/**
 * Characters that are never shown: controls except line feed and tab, directional marks, embeddings and isolates,
 * zero-width characters that join nothing, interlinear annotation.
 */
const INVISIBLE = String.raw`\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb`;
const INVISIBLES = new RegExp(`[${INVISIBLE}]+`, 'g');

/** The flags of England, Scotland and the like are spelt with tag characters: a black flag, the region, an end tag. */
const TAGS = /(\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f})|[\u{e0000}-\u{e007f}]/gu;

/** The variants of an ideograph are told apart by one selector behind it; anywhere else selectors only hide data. */
const IDEOGRAPH_SELECTORS = /(?<!\p{Script=Han})[\u{e0100}-\u{e01ef}]/gu;
const REPEATED_SELECTORS = /(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]+/g;

/** Emoji and several scripts need joiners between their letters and symbols; ASCII never does. */
const JOINED = String.raw`[[\p{L}\p{M}\p{N}\p{S}]--[\p{ASCII}]]`;
const JOINED_BEHIND = String.raw`[[\p{L}\p{M}\p{N}\p{S}]--[\p{ASCII}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]]`;
const STRAY_JOINERS = new RegExp(`(?<!${JOINED})[\\u200c\\u200d]|[\\u200c\\u200d](?!${JOINED_BEHIND})`, 'gv');

/** Returns true if there may be something to remove; surrogates stand for all characters outside the basic plane. */
const SUSPECTS = new RegExp(`[${INVISIBLE}\\u200c\\u200d\\ud800-\\udfff]|[\\ufe00-\\ufe0f]{2}`);

/**
 * Text of an upstream without what people cannot see and terminals obey: control characters, escape sequences,
 * directional overrides, zero-width and tag characters, variation selectors without a base. Half surrogate pairs become
 * U+FFFD. Line feeds, tabs, emoji and the joiners of scripts stay. Cleaning twice changes nothing more.
 */
export function cleanText(text: string): string {
  if (!SUSPECTS.test(text)) return text;
  // Halves first: with what stands between them removed they would become a pair.
  let cleaned = text.toWellFormed();
  for (let before = ''; cleaned !== before; ) {
    before = cleaned;
    cleaned = removeOnce(cleaned);
  }
  return cleaned;
}

function removeOnce(text: string): string {
  return text
    .replace(TERMINAL_SEQUENCES, '')
    .replace(INVISIBLES, '')
    .replace(TAGS, '$1')
    .replace(IDEOGRAPH_SELECTORS, '')
    .replace(REPEATED_SELECTORS, '')
    .replace(STRAY_JOINERS, '');
}

const ESCAPED = new RegExp(
  `[${INVISIBLE}\\u00ad\\u200c\\u200d\\u2028\\u2029\\ufe00-\\ufe0e\\udb40]|(?<=\\udb40)[\\udc00-\\udfff]`,
  'g',
);

/**
 * JSON text that means the same and shows every invisible character inside its strings as an escape. Text that was on one
 * line is on one line for every reader afterwards: U+0085, U+2028 and U+2029, at which some end a line, are escaped too.
 */
export function escapeInvisible(json: string): string {
  return json.replace(ESCAPED, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Stands where something was cut off, and nowhere else between the two: what masks secrets looks for it. */
export const CUT = '…';

/**
 * Returns at most `max` characters of a text: where it is longer, the last of them is `…`. Half a surrogate pair is left
 * out. The beginning of a secret before the `…` is recognised when the text is masked, so a text that may be masked
 * later is cut with this function or `cutBytes` only.
 */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = max - 1;
  const isHalf = /[\ud800-\udbff]/.test(text[end - 1] ?? '');
  return text.slice(0, isHalf ? end - 1 : end) + CUT;
}

/** Returns the text of at most `max` bytes, and `…` where there are more. A character that is cut is left out. */
export function cutBytes(bytes: Buffer, max: number): string {
  return bytes.length <= max ? bytes.toString() : new StringDecoder('utf8').write(bytes.subarray(0, max)) + CUT;
}
