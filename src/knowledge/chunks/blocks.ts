import type { Chunk } from './chunk.ts';

/** A chunk is about one thing; and what a client is shown is paid for. */
export const MAX_LINES = 60;
export const MAX_CHARACTERS = 4_000;

/** Returns the lines of a file without their ends. */
export function linesOf(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r?\n/);
}

/** Returns blocks of the lines from `start` to before `end` (from 0), split at blank lines where they are too large. */
export function blocksOf(lines: readonly string[], start = 0, end = lines.length): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = start; at < end; ) {
    const next = blockEnd(lines, at, end);
    const text = lines.slice(at, next).join('\n');
    if (text.trim() !== '')
      chunks.push({ text, startLine: at + 1, endLine: next, kind: 'block', symbol: '', defines: [] });
    at = next;
  }
  return chunks;
}

function blockEnd(lines: readonly string[], start: number, end: number): number {
  let size = 0;
  let blank = -1;
  for (let at = start; at < end; at++) {
    size += lines[at]!.length + 1;
    if (at > start && (at - start >= MAX_LINES || size > MAX_CHARACTERS)) return blank > start ? blank : at;
    if (lines[at]!.trim() === '') blank = at + 1;
  }
  return end;
}
