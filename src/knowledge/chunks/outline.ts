import { MAX_CHARACTERS, MAX_LINES } from './blocks.ts';
import type { Chunk } from './chunk.ts';
import type { Definition } from './definition.ts';

/** Stands for the lines that an outline leaves out. */
export const LEFT_OUT = '⋮';

/** Returns the outline of a class: its lines without the comments and bodies of its methods. */
export function outlineOf(lines: readonly string[], one: Definition, start: number): Chunk[] {
  const chunks: Chunk[] = [];
  let kept: number[] = [];
  let size = 0;
  const finish = (): void => {
    if (kept.length > 0) chunks.push(outlineChunk(lines, kept, one));
    kept = [];
    size = 0;
  };
  for (const row of keptRows(lines, one, start)) {
    if (kept.length >= MAX_LINES || size + lines[row]!.length > MAX_CHARACTERS) finish();
    kept.push(row);
    size += lines[row]!.length + 1;
  }
  finish();
  return chunks;
}

function outlineChunk(lines: readonly string[], rows: readonly number[], { symbol }: Definition): Chunk {
  const text = rows.flatMap((row, at) => (at > 0 && rows[at - 1]! < row - 1 ? [LEFT_OUT, lines[row]!] : [lines[row]!]));
  return {
    text: text.join('\n'),
    startLine: rows[0]! + 1,
    endLine: rows.at(-1)! + 1,
    kind: 'class',
    symbol,
    defines: [],
  };
}

function keptRows(lines: readonly string[], one: Definition, start: number): number[] {
  const hidden = new Set<number>();
  for (const member of one.members) hide(member, hidden);
  const rows: number[] = [];
  for (let row = start; row <= one.endRow; row++) if (!hidden.has(row) && lines[row]!.trim() !== '') rows.push(row);
  return rows;
}

function hide({ kind, members, startRow, headRow, headEnd, endRow }: Definition, hidden: Set<number>): void {
  if (kind === 'block' && members.length === 0) return;
  for (let row = startRow; row < headRow; row++) hidden.add(row);
  for (let row = headEnd + 1; row <= endRow; row++) hidden.add(row);
}
