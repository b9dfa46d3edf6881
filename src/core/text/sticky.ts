/** Where the match of a pattern with the flag `y` ends that begins at `at`; `undefined` where none begins there. */
export function endOfMatch(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
