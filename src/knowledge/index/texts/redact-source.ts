import { redact } from '../../../redaction/redact.ts';

const MARK = /\[redacted:[a-z0-9-]{1,40}\]/g;

/**
 * Returns a text without secrets, each of its lines at the number that it had. `undefined` if the lines cannot be kept:
 * such a text must not be stored.
 */
export function redactSource(text: string): string | undefined {
  const redacted = redact(text).value;
  if (redacted === text || lineBreaksIn(redacted) === lineBreaksIn(text)) return redacted;
  return withItsLines(text, redacted);
}

/** Puts the line breaks of a secret of several lines behind its mark. */
function withItsLines(text: string, redacted: string): string | undefined {
  const pieces: string[] = [];
  let at = 0;
  let read = 0;
  const marks = [...redacted.matchAll(MARK)];
  for (const [number, { 0: mark, index }] of marks.entries()) {
    const before = redacted.slice(read, index);
    read = index + mark.length;
    const after = redacted.slice(read, marks[number + 1]?.index);
    const secret = at + before.length;
    // The part behind the last secret reaches to the end of the text.
    const end = number === marks.length - 1 ? text.length - after.length : text.indexOf(after, secret + 1);
    if (end < secret) return undefined;
    pieces.push(before, mark, '\n'.repeat(lineBreaksIn(text.slice(secret, end))));
    at = end;
  }
  const whole = pieces.join('') + redacted.slice(read);
  return lineBreaksIn(whole) === lineBreaksIn(text) ? whole : undefined;
}

function lineBreaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
