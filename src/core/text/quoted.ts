/**
 * Returns the end of the text that begins at `start`, after a quotation mark: the index of the closing mark. A backslash stands in front
 * of a character that is meant as it is. `undefined` if the line ends before. The text is read once, from left to right.
 */
export function endOfQuoted(text: string, start: number, quote: string): number | undefined {
  for (let at = start; at < text.length; at++) {
    if (text[at] === quote) return at;
    if (text[at] === '\n') return undefined;
    if (text[at] === '\\' && text[++at] === '\n') return undefined;
  }
  return undefined;
}
