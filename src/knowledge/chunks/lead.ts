import type { Node } from 'web-tree-sitter';
import { lastRow } from './definition.ts';

/** Some put a blank line between a comment and what it is about. */
const MAX_GAP = 2;

/** Before any row that could follow. */
const NONE = -1 - MAX_GAP;

/** Finds the rows of comments and attributes that stand right in front of the next definition. */
export class Lead {
  #start = 0;
  #end = NONE;
  /** End of the last definition: the rest of its row belongs to it. */
  #passed = -1;

  /** Takes a comment or attribute. */
  take(node: Node): void {
    const { row } = node.startPosition;
    if (row === this.#passed) return;
    if (row > this.#end + 1) this.#start = row;
    this.#end = lastRow(node);
  }

  /** Returns the first row of a definition, with what is in front of it. */
  startOf(node: Node): number {
    const { row } = node.startPosition;
    return this.#end >= row - MAX_GAP ? Math.min(this.#start, row) : row;
  }

  /** Goes past a definition or statement. */
  pass(node: Node): void {
    this.#passed = lastRow(node);
    this.#end = NONE;
  }
}
