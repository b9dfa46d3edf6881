/** Returns a Markdown table, its columns aligned. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = titles.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(width)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => padded(cell, widths[at] ?? 0)).join(' | ')} |`;
  const rule = widths.map((length) => '-'.repeat(Math.min(length, WIDEST)));
  return [line(titles), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n').concat('\n');
}

/** Wider cells are not padded: one long sentence would stretch the whole column. */
const WIDEST = 40;

const width = (cell: string): number => (cell.length > WIDEST ? 0 : cell.length);

const padded = (cell: string, length: number): string => cell.padEnd(Math.min(length, WIDEST));
