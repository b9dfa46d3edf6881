import type { Chunk } from './chunk.ts';

export interface Size {
  readonly lines: number;
  readonly characters: number;
}

/** The most that a chunk has: it is about one thing, and what a client is shown is paid for. */
export const MOST: Size = { lines: 60, characters: 4_000 };

/** Members that all chunks of one definition share. */
export type Label = Pick<Chunk, 'kind' | 'symbol'>;

export const BLOCK: Label = { kind: 'block', symbol: '' };

/** Returns the lines of a file without their ends. */
export function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r?\n/);
}

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

/** Returns blocks of the rows from `start` to before `end`, split at blank lines where they are too large. */
export function blocksOf(lines: readonly string[], start = 0, end = lines.length, label = BLOCK): Chunk[] {
  const afterBlank = (row: number): boolean => isBlank(lines[row - 1]) && !isBlank(lines[row]);
  return partsOf(lines, start, end, afterBlank, label);
}

/** Returns true if the rows from `start` to before `end` are no more than `most`. */
export function fits(lines: readonly string[], start: number, end: number, most: Size): boolean {
  if (end - start > most.lines) return false;
  let size = 0;
  for (let row = start; row < end; row++) size += lines[row]!.length + 1;
  return size <= most.characters;
}

/**
 * Returns the rows from `start` to before `end` as chunks that are not too large, each as large as it may be.
 * They begin, where that is possible, at rows that `isBoundary`.
 */
export function partsOf(
  lines: readonly string[],
  start: number,
  end: number,
  isBoundary: (row: number) => boolean,
  label: Label,
): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = start; at < end; ) {
    const next = partEnd(lines, at, end, isBoundary);
    chunks.push(...chunkOf(lines, at, next, label));
    at = next;
  }
  return chunks;
}

function partEnd(lines: readonly string[], start: number, end: number, isBoundary: (row: number) => boolean): number {
  let size = 0;
  let boundary = -1;
  for (let row = start; row < end; row++) {
    if (row > start && isBoundary(row)) boundary = row;
    size += lines[row]!.length + 1;
    if (row > start && (row - start >= MOST.lines || size > MOST.characters)) return boundary > start ? boundary : row;
  }
  return end;
}

/** Returns rows as one chunk, without blank lines around it: none when all are blank, several when a line is too long. */
export function chunkOf(lines: readonly string[], start: number, end: number, label: Label): Chunk[] {
  let first = start;
  let last = end - 1;
  while (first <= last && isBlank(lines[first])) first++;
  while (last > first && isBlank(lines[last])) last--;
  if (first > last) return [];
  const text = lines.slice(first, last + 1).join('\n');
  return piecesOf(text).map((piece) => ({
    text: piece,
    startLine: first + 1,
    endLine: last + 1,
    ...label,
    defines: [],
  }));
}

/** Only a line that is longer than a chunk may be is cut, as those of minified files. */
function piecesOf(text: string): string[] {
  if (text.length <= MOST.characters || text.includes('\n')) return [text];
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += MOST.characters) pieces.push(text.slice(at, at + MOST.characters));
  return pieces;
}
