import type { Node } from 'web-tree-sitter';
import type { ChunkKind } from './chunk.ts';

/** A definition in a file. Rows count from 0 and are inclusive. */
export interface Definition {
  readonly kind: Exclude<ChunkKind, 'section'>;
  /** Names it defines, without their paths. */
  readonly names: readonly string[];
  /** With its path, such as `Parser.parse`. */
  readonly symbol: string;
  /** With what is in front of it: comments, attributes. */
  readonly startRow: number;
  readonly endRow: number;
  /** Start of its own text, after comments. */
  readonly headRow: number;
  /** The last row of its head: the body is left out of outlines. */
  readonly headEnd: number;
  readonly members: readonly Definition[];
  readonly node: Node;
}

/** Returns the last row that has text of a node. */
export function lastRow(node: Node): number {
  const { row, column } = node.endPosition;
  return column === 0 && row > node.startPosition.row ? row - 1 : row;
}

export const rowsOf = (node: Node): number => lastRow(node) - node.startPosition.row + 1;
