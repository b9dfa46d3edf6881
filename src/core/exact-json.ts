import { randomBytes } from 'node:crypto';

const MAY_BE_LARGE = /\d{16}/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const WHOLE = /^-?\d{16,}$/;
/** No string of any text begins so: nobody else knows it. */
const MARK = randomBytes(16).toString('hex');

/**
 * `JSON.parse`, but whole numbers that a number cannot hold become bigints; `canonicalJson` writes both alike.
 * @throws SyntaxError for what is no JSON
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAY_BE_LARGE.test(text)) return value;
  const marked = text.replace(STRING_OR_NUMBER, (token) => (WHOLE.test(token) ? `"${MARK}${token}"` : token));
  return JSON.parse(marked, (_key, read: unknown) =>
    typeof read === 'string' && read.startsWith(MARK) ? wholeNumber(read.slice(MARK.length)) : read,
  );
}

function wholeNumber(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}
