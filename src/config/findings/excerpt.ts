/** JSON may stand on one line: of long lines a window around the column is shown. */
const WINDOW = 100;

/** Returns the line of `source` at a position (counted from 1), with a caret under the column. None for an empty line. */
export function excerpt(source: string, position: { readonly line: number; readonly column: number }): string[] {
  const line = source.split('\n', position.line)[position.line - 1] ?? '';
  if (line.trim() === '') return [];
  const start = Math.max(0, position.column - 1 - WINDOW / 2);
  const window = printable(line.slice(start, start + WINDOW).trimEnd());
  const caretAt = position.column - 1 - start;
  // Tabs stay tabs, so that the caret is in the right column for any tab width.
  const indent = window.slice(0, caretAt).replaceAll(/[^\t]/g, ' ').padEnd(caretAt);
  const gutter = String(position.line);
  return [`  ${gutter} | ${window}`, `  ${' '.repeat(gutter.length)} | ${indent}^`];
}

/** Replaces control characters, which would reach the terminal. */
export const printable = (line: string): string => line.replaceAll(/(?!\t)\p{Cc}/gu, '?');
