// Imitates an agent without an index: greps for the words of its question, and reads the files with the most hits completely.
import { isStopWord } from '../../../src/knowledge/ranking/stop-words.ts';
import type { SourceFile } from './corpus.ts';
import { isRelevant } from './data.ts';

export interface Reading {
  /** The files in the order in which they are read. */
  readonly files: readonly SourceFile[];
  /** How many are read, up to the first that is relevant; `undefined` when none is. */
  readonly needed: number | undefined;
}

/** Orders files as `rg --count-matches --ignore-case` of the query's words does, those with the most hits first. */
export function grepAndRead(query: string, files: readonly SourceFile[], relevant: readonly string[]): Reading {
  const words = [...new Set(query.toLowerCase().match(/\w+/g) ?? [])].filter((word) => !isStopWord(word));
  const counted = files
    .map((file) => ({ file, hits: hitsIn(file.text.toLowerCase(), words) }))
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .map(({ file }) => file);
  const first = counted.findIndex(({ path }) => relevant.some((one) => isRelevant(path, one)));
  return { files: counted, needed: first === -1 ? undefined : first + 1 };
}

function hitsIn(text: string, words: readonly string[]): number {
  let hits = 0;
  for (const word of words) hits += text.split(word).length - 1;
  return hits;
}
