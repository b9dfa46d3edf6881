/** Lines for people or scripts, on standard output. */
export function print(line = ''): void {
  process.stdout.write(`${line}\n`);
}

/** For people only: what happens meanwhile, and what went wrong. */
export function printError(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Columns as wide as their widest cell; the last one keeps its length. */
export function printTable(rows: readonly (readonly string[])[], indent = ''): void {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, index) => Math.max(widest[index] ?? 0, cell.length)),
    [],
  );
  for (const row of rows) {
    const cells = row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index]!)));
    print(`${indent}${cells.join('  ')}`.trimEnd());
  }
}

/** Text of an upstream on a terminal: control characters would be obeyed, not shown. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
}
