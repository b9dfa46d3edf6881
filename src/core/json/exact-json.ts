import { randomBytes } from 'node:crypto';

const MAY_BE_LARGE = /\d{16}/;
/**
 * Matches the beginnings and ends of strings (whole strings may be too long for an expression), and whole numbers that may be
 * large.
 */
const QUOTE_OR_LARGE = /\\["\\]|"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;
/** A random mark that no string of any text begins with. */
const MARK = randomBytes(16).toString('hex');
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

/**
 * `JSON.parse`, but whole numbers that a number cannot hold become bigints; `canonicalJson` writes both alike. Any depth.
 * @throws SyntaxError for what is no JSON
 */
export function parseExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!MAY_BE_LARGE.test(text)) return value;
  const root = { value: JSON.parse(marked(text)) as unknown };
  const open: Record<string, unknown>[] = [root];
  // An array is read on to its end, also while it grows.
  for (const container of open) {
    for (const [key, member] of Object.entries(container)) {
      if (typeof member === 'object' && member !== null) open.push(member as Record<string, unknown>);
      else if (typeof member === 'string' && member.startsWith(MARK)) container[key] = wholeNumber(member);
    }
  }
  return root.value;
}

/**
 * `JSON.stringify`, but bigints are written as whole numbers: the other way of `parseExactJson`. Returns `undefined` for what has
 * no JSON form.
 * @param indent number of spaces; one line without it
 * @throws TypeError when the value contains itself
 */
export function exactJson(value: unknown, indent?: number): string | undefined {
  try {
    return JSON.stringify(value, undefined, indent) as string | undefined;
  } catch (error) {
    // It refuses bigints. Few values have one, and a function for each member takes twice as long.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, bigintAsMark, indent).replaceAll(MARKED, '$1');
  }
}

const bigintAsMark = (_: string, member: unknown): unknown =>
  typeof member === 'bigint' ? `${MARK}${member}` : member;

/** JSON in which large whole numbers are strings that begin with the mark. */
function marked(text: string): string {
  let isInString = false;
  return text.replace(QUOTE_OR_LARGE, (token) => {
    if (token === '"') isInString = !isInString;
    return isInString || token === '"' || token.startsWith('\\') ? token : `"${MARK}${token}"`;
  });
}

function wholeNumber(marked: string): number | bigint {
  const digits = marked.slice(MARK.length);
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}
