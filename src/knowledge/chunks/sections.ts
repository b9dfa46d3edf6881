import { blocksOf } from './blocks.ts';
import type { Chunk } from './chunk.ts';
import { headOf, type SourceSymbol } from './symbols.ts';

const FENCE = /^ {0,3}(```|~~~)/;
const HEADING = /^ {0,3}(#{1,6})(?=\s)/;

/** The longest title, in characters; longer ones are cut, because they are part of the path of what is below. */
const MAX_TITLE = 100;

/** Rows of a document below one heading, to before the next of any level. */
interface Section {
  readonly start: number;
  readonly end: number;
  /** The titles of the headings around it and its own, outermost first; `''` before the first heading. */
  readonly symbol: string;
  readonly title: string;
}

/** Returns the sections of a Markdown text, each with the path of its headings as its symbol and its title as what it defines. */
export function sectionChunks(lines: readonly string[]): Chunk[] {
  return sectionsOf(lines).flatMap(({ start, end, symbol, title }) => {
    const [first, ...others] = blocksOf(lines, start, end, { kind: 'section', symbol });
    return first === undefined ? [] : [{ ...first, defines: title === '' ? [] : [title] }, ...others];
  });
}

/** Returns the headings of a Markdown text, each with the lines to before the next one. */
export function sectionSymbols(lines: readonly string[]): SourceSymbol[] {
  return sectionsOf(lines)
    .filter(({ title }) => title !== '')
    .map(({ start, end, symbol }) => ({
      kind: 'section',
      symbol,
      startLine: start + 1,
      endLine: end,
      head: headOf(lines[start]!),
    }));
}

function sectionsOf(lines: readonly string[]): Section[] {
  const headings = headingsOf(lines);
  const path: string[] = [];
  const sections = headings.map(({ row, level, title }, at) => {
    path.length = Math.min(path.length, level - 1);
    while (path.length < level - 1) path.push('');
    path.push(title);
    const symbol = path.filter((one) => one !== '').join(' > ');
    return { start: row, end: headings[at + 1]?.row ?? lines.length, symbol, title };
  });
  return [{ start: 0, end: headings[0]?.row ?? lines.length, symbol: '', title: '' }, ...sections];
}

interface Heading {
  readonly row: number;
  readonly level: number;
  readonly title: string;
}

/** A `#` in a block of code is no heading; one that is not closed ends with the text. */
function headingsOf(lines: readonly string[]): Heading[] {
  const headings: Heading[] = [];
  let fence = '';
  for (const [row, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined && (fence === '' || fence === mark)) fence = fence === '' ? mark : '';
    const level = fence === '' ? HEADING.exec(line)?.[1]?.length : undefined;
    if (level !== undefined) headings.push({ row, level, title: titleOf(line) });
  }
  return headings;
}

const titleOf = (line: string): string =>
  line
    .replace(/^[\s#]+/, '')
    .trimEnd()
    .slice(0, MAX_TITLE);
