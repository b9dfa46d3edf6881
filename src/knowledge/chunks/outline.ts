import { chunkOf, MOST } from './blocks.ts';
import type { Chunk } from './chunk.ts';
import type { Definition } from './definition.ts';

/** Stands for the lines that an outline leaves out. */
export const LEFT_OUT = '⋮';

/** Returns the outline of a class: its lines without the comments and bodies of its methods. Several chunks where it is long. */
export function outlineOf(lines: readonly string[], one: Definition, start: number): Chunk[] {
  const parts: number[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const row of keptRows(lines, one, start)) {
    size += lines[row]!.length + 1;
    if (size > MOST.characters || parts.at(-1)!.length >= MOST.lines) {
      parts.push([]);
      size = lines[row]!.length + 1;
    }
    parts.at(-1)!.push(row);
  }
  return parts.flatMap((rows) => outlineChunks(lines, rows, one.symbol));
}

/** A row by itself may be longer than a chunk. */
function outlineChunks(lines: readonly string[], rows: readonly number[], symbol: string): Chunk[] {
  const [first, second] = rows;
  if (second === undefined) return chunkOf(lines, first!, first! + 1, { kind: 'class', symbol });
  return [outlineChunk(lines, rows, symbol)];
}

function outlineChunk(lines: readonly string[], rows: readonly number[], symbol: string): Chunk {
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

/** A row is hidden only where a chunk of the member has it. */
function hide(member: Definition, hidden: Set<number>): void {
  if (isInOutline(member)) return;
  for (let row = member.startRow; row <= member.endRow; row++)
    if (row < member.headRow || row > member.headEnd) hidden.add(row);
}

/** A member without a body is shown in the outline, and needs no chunk of its own. */
export const isInOutline = ({ kind, members, headEnd, endRow }: Definition): boolean =>
  members.length === 0 && (kind === 'block' || headEnd === endRow);
