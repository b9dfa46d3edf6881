/**
 * Returns the text without what `characters` has at its end. The pattern `/[…]+$/` would begin again at each of those
 * characters.
 */
export function trimmedEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end -= 1;
  return text.slice(0, end);
}

/** Returns the text without what `characters` has at its beginning. */
export function trimmedStart(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text[start]!)) start += 1;
  return text.slice(start);
}
