import { blocksOf } from './blocks.ts';
import type { Chunk } from './chunk.ts';

const FENCE = /^ {0,3}(?:```|~~~)/;
const HEADING = /^ {0,3}(#{1,6})(?=\s)/;

/** Returns the sections of a Markdown text, each with the path of its headings as its symbol. */
export function sectionsOf(lines: readonly string[]): Chunk[] {
  const chunks: Chunk[] = [];
  const path: string[] = [];
  let start = 0;
  const finish = (end: number): void => {
    const symbol = path.filter((title) => title !== '').join(' > ');
    for (const chunk of blocksOf(lines, start, end, { kind: 'section', symbol })) chunks.push(chunk);
    start = end;
  };
  for (const { row, level, title } of headingsOf(lines)) {
    finish(row);
    path.length = Math.min(path.length, level - 1);
    while (path.length < level - 1) path.push('');
    path.push(title);
  }
  finish(lines.length);
  return chunks;
}

interface Heading {
  readonly row: number;
  readonly level: number;
  readonly title: string;
}

/** A `#` in a block of code is no heading. */
function headingsOf(lines: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  let isCode = false;
  for (const [row, line] of lines.entries()) {
    if (FENCE.test(line)) isCode = !isCode;
    const level = isCode ? undefined : HEADING.exec(line)?.[1]?.length;
    if (level !== undefined) headings.push({ row, level, title: titleOf(line) });
  }
  return headings;
}

const titleOf = (line: string): string =>
  line
    .replace(/^[\s#]+/, '')
    .trimEnd()
    .slice(0, 100);
