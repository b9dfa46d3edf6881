import type { ChunkRow } from '../../../store/knowledge/rows.ts';
import type { ChunkKind } from '../../chunks/chunk.ts';
import type { Candidate } from '../../ranking/candidate.ts';
import { unpack } from '../texts/packed-text.ts';
import type { Found } from './candidates.ts';

/** A chunk on its way through the ranking. */
export interface ChunkCandidate extends Candidate {
  readonly row: ChunkRow;
}

/** Candidates with their scores before the ranking. */
export interface Scored {
  readonly candidates: readonly ChunkCandidate[];
  readonly mode: 'lexical' | 'hybrid';
  readonly notes: readonly string[];
}

/** Returns the candidates as their words score them. `notes` say why vectors have no part in it. */
export function byWordsAlone(lexical: readonly Found[], notes: readonly string[] = []): Scored {
  return { candidates: lexical.map(({ row, bm25 }) => candidateOf(row, bm25)), mode: 'lexical', notes };
}

export function candidateOf(row: ChunkRow, base: number): ChunkCandidate {
  let text: string | undefined;
  return {
    row,
    base,
    path: row.path,
    kind: row.kind as ChunkKind,
    symbol: row.symbol,
    defines: row.defines,
    // Most candidates are never shown.
    get text() {
      text ??= unpack(row);
      return text;
    },
  };
}
