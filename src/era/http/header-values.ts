/** The marks before and after a Base64 value (2026-07-28, Streamable HTTP, "Value Encoding"). */
const PREFIX = '=?base64?';
const SUFFIX = '?=';

/** Visible ASCII, spaces and tabs, and no blank at either end, where HTTP would lose it. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/;
const LEGAL = /^[\x20-\x7e\t]*$/;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Returns a text as the value of a header: as it is where HTTP lets it pass, else as Base64. Empty values get lost on the
 * way.
 */
export function encodeHeaderValue(text: string): string {
  if (PLAIN.test(text) && !isMarked(text)) return text;
  return `${PREFIX}${Buffer.from(text, 'utf8').toString('base64')}${SUFFIX}`;
}

/** Returns the text that a header's value stands for; `undefined` for characters that no header may have, and for bad Base64. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!LEGAL.test(value)) return undefined;
  return isMarked(value) ? decodeBase64(value.slice(PREFIX.length, -SUFFIX.length)) : value;
}

/** `=?base64?=` is both marks at once, and none. */
function isMarked(value: string): boolean {
  return value.length >= PREFIX.length + SUFFIX.length && value.startsWith(PREFIX) && value.endsWith(SUFFIX);
}

/** Decodes a Base64 value; `undefined` if it is not valid. Node skips invalid characters, but other readers may not. */
function decodeBase64(text: string): string | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
