import type { Query } from './query.ts';
import { termsOf } from './terms.ts';

/** Lines of a file. */
export interface Lines {
  readonly text: string;
  /** 1-based, inclusive, as `endLine`. */
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * Returns the lines of a chunk that say most about a query: at most `most` of them, one after the other. A chunk that leaves
 * lines of its file out, as the outline of a class does, comes back whole.
 */
export function relevantLines(chunk: Lines, query: Query, most: number): Lines {
  const { text, startLine, endLine } = chunk;
  const lines = text.split('\n');
  if (lines.length <= most || lines.length !== endLine - startLine + 1) return { text, startLine, endLine };
  const first = bestWindow(lines, new Set(query.terms), most);
  return {
    text: lines.slice(first, first + most).join('\n'),
    startLine: startLine + first,
    endLine: startLine + first + most - 1,
  };
}

/** Returns where the window begins that has most terms of the query, and of several the one in which they occur most often. */
function bestWindow(lines: readonly string[], terms: ReadonlySet<string>, most: number): number {
  const found = lines.map((line) => termsOf(line).filter((term) => terms.has(term)));
  const counts = new Map<string, number>();
  let hits = 0;
  let best = { first: 0, distinct: -1, hits: 0 };
  for (const [index, line] of found.entries()) {
    for (const term of line) counts.set(term, (counts.get(term) ?? 0) + 1);
    hits += line.length;
    for (const term of found[index - most] ?? []) {
      if (counts.get(term) === 1) counts.delete(term);
      else counts.set(term, counts.get(term)! - 1);
      hits -= 1;
    }
    const first = index - most + 1;
    if (first < 0) continue;
    const isBetter = counts.size > best.distinct || (counts.size === best.distinct && hits > best.hits);
    if (isBetter) best = { first, distinct: counts.size, hits };
  }
  return best.first;
}
