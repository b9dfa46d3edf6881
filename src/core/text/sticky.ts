/** Returns the end of the match of a sticky (`y`) pattern that begins at `at`; `undefined` if none begins there. */
export function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
