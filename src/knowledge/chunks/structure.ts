import type { Node } from 'web-tree-sitter';
import { blocksOf, chunkOf, LIMITS, MAX_CHARACTERS, MAX_LINES, partsOf } from './blocks.ts';
import type { Chunk } from './chunk.ts';
import { type Definition, rowsOf } from './definition.ts';
import { outlineOf } from './outline.ts';

const MAX_DEPTH = 60;

/** Returns the chunks of rows: the definitions in them, and what is between. */
export function chunksOf(
  lines: readonly string[],
  definitions: readonly Definition[],
  start = 0,
  end = lines.length,
  path = '',
): Chunk[] {
  const chunks: Chunk[] = [];
  let at = start;
  for (const one of definitions.filter(isChunk)) {
    if (one.endRow < at) continue;
    chunks.push(...blocksOf(lines, at, Math.max(at, one.startRow), { kind: 'block', symbol: path }));
    chunks.push(...ofDefinition(lines, one, Math.max(at, one.startRow)));
    at = one.endRow + 1;
  }
  chunks.push(...blocksOf(lines, at, end, { kind: 'block', symbol: path }));
  return withNames(
    chunks,
    definitions.filter((one) => !isChunk(one)),
  );
}

/** A value of a few rows is part of what is around it. */
const isChunk = ({ kind, members, startRow, endRow }: Definition): boolean =>
  kind !== 'block' || members.length > 0 || endRow - startRow >= MAX_LINES;

/** Names the values in the chunks that have them. */
function withNames(chunks: readonly Chunk[], values: readonly Definition[]): Chunk[] {
  return chunks.map((chunk) => {
    const inside = values.filter(({ headRow }) => headRow + 1 >= chunk.startLine && headRow + 1 <= chunk.endLine);
    if (inside.length === 0) return chunk;
    return { ...chunk, defines: [...chunk.defines, ...inside.flatMap(({ names }) => names)] };
  });
}

function ofDefinition(lines: readonly string[], one: Definition, start: number): Chunk[] {
  const end = one.endRow + 1;
  const label = { kind: one.kind, symbol: one.symbol };
  if (fits(lines, start, end, one.members.length > 0 ? WHOLE : LIMITS))
    return defining(chunkOf(lines, start, end, label), allNames(one));
  if (one.members.length === 0) return defining(partsOf(lines, start, end, boundariesIn(one.node), label), one.names);
  if (one.kind === 'block') return defining(chunksOf(lines, one.members, start, end, one.symbol), one.names);
  return ofClass(lines, one, start);
}

export const WHOLE = { lines: Number(process.env.WL ?? 40), characters: Number(process.env.WC ?? 2_000) };

function ofClass(lines: readonly string[], one: Definition, start: number): Chunk[] {
  const outline = withNames(
    defining(outlineOf(lines, one, start), one.names),
    one.members.filter((member) => !isChunk(member)),
  );
  return [...outline, ...one.members.filter(isChunk).flatMap((member) => ofDefinition(lines, member, member.startRow))];
}

function fits(
  lines: readonly string[],
  start: number,
  end: number,
  most: { lines: number; characters: number },
): boolean {
  if (end - start > most.lines) return false;
  let size = 0;
  for (let row = start; row < end; row++) size += lines[row]!.length + 1;
  return size <= most.characters;
}

const allNames = (one: Definition): string[] => [...one.names, ...one.members.flatMap(allNames)];

/** The first of the parts defines what they are parts of. */
function defining([first, ...others]: readonly Chunk[], names: readonly string[]): Chunk[] {
  if (first === undefined) return [];
  return [{ ...first, defines: [...new Set([...names, ...first.defines])] }, ...others];
}

/** The rows at which statements begin; also inside of those that are too large. */
function boundariesIn(node: Node): (row: number) => boolean {
  const rows = new Set<number>();
  addBoundaries(node, rows, 0);
  return (row) => rows.has(row);
}

function addBoundaries(node: Node, rows: Set<number>, depth: number): void {
  for (const child of node.namedChildren) {
    rows.add(child.startPosition.row);
    if (depth < MAX_DEPTH && rowsOf(child) > MAX_LINES / 2) addBoundaries(child, rows, depth + 1);
  }
}
void MAX_CHARACTERS;
