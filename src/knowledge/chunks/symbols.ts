import type { Definition } from './definition.ts';

/** A symbol that a file defines, as outlines show it. */
export interface SourceSymbol {
  readonly kind: Definition['kind'] | 'section';
  /** The path of the symbol, outermost first, such as `Parser.parse`. */
  readonly symbol: string;
  /** 1-based, inclusive, as `endLine`; without comments in front of it. */
  readonly startLine: number;
  readonly endLine: number;
  /** The first line of its head, such as `export function parse(text: string): Tree {`. */
  readonly head: string;
}

/** The longest head, in characters; longer ones are data, or generated, and are cut. */
const MAX_HEAD = 160;

/** Returns the symbols of definitions and their members, outer ones first. */
export function symbolsOf(lines: readonly string[], definitions: readonly Definition[]): SourceSymbol[] {
  return definitions.flatMap((one) => {
    const inner = symbolsOf(lines, one.members);
    if (one.symbol === '') return inner;
    const { kind, symbol, headRow, endRow } = one;
    return [{ kind, symbol, startLine: headRow + 1, endLine: endRow + 1, head: headOf(lines[headRow]!) }, ...inner];
  });
}

export const headOf = (line: string): string => line.trim().slice(0, MAX_HEAD);
