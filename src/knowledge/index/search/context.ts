import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { ChunkRow } from '../../../store/knowledge/rows.ts';
import { unpack } from '../texts/packed-text.ts';

const LINES = 10;

export interface Context {
  readonly before: string;
  readonly after: string;
}

/** Returns the lines around a chunk, from what the index has of its file. */
export async function contextOf(store: KnowledgeStore, chunk: ChunkRow): Promise<Context> {
  const [first, last] = [chunk.startLine - LINES, chunk.endLine + LINES];
  const around = await store.chunksAround(chunk, first, last);
  const lines = new Map<number, string>();
  for (const neighbour of around) {
    const texts = unpack(neighbour).split('\n');
    // The outline of a class leaves lines out: which ones its text has is not known.
    if (texts.length !== neighbour.endLine - neighbour.startLine + 1) continue;
    for (const [index, text] of texts.entries()) lines.set(neighbour.startLine + index, text);
  }
  return {
    before: textOf(lines, first, chunk.startLine - 1),
    after: textOf(lines, chunk.endLine + 1, last),
  };
}

/** Lines that no chunk has are blank. */
function textOf(lines: ReadonlyMap<number, string>, from: number, to: number): string {
  const known = [...lines.keys()].filter((line) => line >= from && line <= to);
  if (known.length === 0) return '';
  const [first, last] = [Math.min(...known), Math.max(...known)];
  const texts: string[] = [];
  for (let line = first; line <= last; line++) texts.push(lines.get(line) ?? '');
  return texts.join('\n');
}
