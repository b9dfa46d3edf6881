import type { Node } from 'web-tree-sitter';
import { BLOCK, blocksOf, chunkOf, fits, type Label, MOST, partsOf, type Size } from './blocks.ts';
import type { Chunk } from './chunk.ts';
import { type Definition, rowsOf } from './definition.ts';
import { isInOutline, outlineOf } from './outline.ts';

/** A class that is no larger is one chunk; else its members are chunks of their own. */
const WHOLE_CLASS: Size = { lines: 40, characters: 2_000 };

/** Statements of fewer rows are not cut. */
const MIN_CUT_ROWS = 20;

/** Deeper than real code, and far from the end of the stack. */
const MAX_DEPTH = 60;

/** The largest number of names; code with more is generated. */
const MOST_NAMES = 1_000;

/** Returns the chunks of the rows from `start` to before `end`: the definitions in them, and what is between. */
export function chunksOf(
  lines: readonly string[],
  definitions: readonly Definition[],
  start = 0,
  end = lines.length,
  between: Label = BLOCK,
): Chunk[] {
  const chunks: Chunk[] = [];
  let at = start;
  for (const one of definitions.filter(isChunk)) {
    if (one.endRow < at) continue;
    chunks.push(...blocksOf(lines, at, Math.max(at, one.startRow), between));
    chunks.push(...ofDefinition(lines, one, Math.max(at, one.startRow)));
    at = one.endRow + 1;
  }
  chunks.push(...blocksOf(lines, at, end, between));
  return withValues(chunks, definitions);
}

/** A value of a few rows is part of what is around it. */
const isChunk = ({ kind, members, startRow, endRow }: Definition): boolean =>
  kind !== 'block' || members.length > 0 || endRow - startRow >= MOST.lines;

/** Names the values in the chunks that have them. */
function withValues(chunks: readonly Chunk[], definitions: readonly Definition[]): Chunk[] {
  const values = definitions.filter((one) => !isChunk(one));
  let at = 0;
  return chunks.map((chunk) => {
    const names: string[] = [];
    while (at < values.length && values[at]!.headRow + 1 < chunk.startLine) at++;
    for (; at < values.length && values[at]!.headRow < chunk.endLine; at++) names.push(...values[at]!.names);
    return names.length === 0 ? chunk : { ...chunk, defines: [...chunk.defines, ...names] };
  });
}

function ofDefinition(lines: readonly string[], one: Definition, start: number): Chunk[] {
  const { kind, symbol, members, names, node } = one;
  const end = one.endRow + 1;
  const label = { kind, symbol };
  if (fits(lines, start, end, members.length > 0 ? WHOLE_CLASS : MOST))
    return defining(chunkOf(lines, start, end, label), allNames(one));
  if (members.length === 0) return defining(partsOf(lines, start, end, boundariesIn(node), label), names);
  if (kind === 'class') return ofClass(lines, one, start);
  return defining(chunksOf(lines, members, start, end, label), names);
}

function ofClass(lines: readonly string[], one: Definition, start: number): Chunk[] {
  const outline = withValues(defining(outlineOf(lines, one, start), one.names), one.members);
  const own = one.members.filter((member) => isChunk(member) && !isInOutline(member));
  return [...outline, ...own.flatMap((member) => ofDefinition(lines, member, member.startRow))];
}

const allNames = (one: Definition): string[] => [...one.names, ...one.members.flatMap(allNames)];

/** The first of the parts defines what they are parts of. */
function defining([first, ...others]: readonly Chunk[], names: readonly string[]): Chunk[] {
  if (first === undefined) return [];
  return [{ ...first, defines: [...new Set([...names, ...first.defines])].slice(0, MOST_NAMES) }, ...others];
}

/** Tells the rows at which statements begin; also those inside of large ones. */
function boundariesIn(node: Node): (row: number) => boolean {
  const rows = new Set<number>();
  addBoundaries(node, rows, 0);
  return (row) => rows.has(row);
}

function addBoundaries(node: Node, rows: Set<number>, depth: number): void {
  for (const child of node.namedChildren) {
    rows.add(child.startPosition.row);
    if (depth < MAX_DEPTH && rowsOf(child) > MIN_CUT_ROWS) addBoundaries(child, rows, depth + 1);
  }
}
