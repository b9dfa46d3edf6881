import type { Chunk } from '../../../src/knowledge/chunks/chunk.ts';
import { readSource } from '../../../src/knowledge/files/read-source.ts';
import { walkFiles } from '../../../src/knowledge/files/walk-files.ts';
import { Bm25 } from './bm25.ts';

const MAX_BYTES = 1024 * 1024;

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

type FoundChunk = Chunk & { readonly path: string };

/** Chunks of some files, and what finds them. */
export interface Corpus {
  readonly files: readonly SourceFile[];
  readonly chunks: readonly FoundChunk[];
  readonly index: Bm25;
}

/** Reads the files below a folder that the workflow would index; of `part` only where that is not `.`. */
export async function readFiles(root: string, part: string): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for await (const batch of walkFiles(root))
    for (const one of batch) {
      if (one.kind !== 'file' || !(part === '.' || one.path.startsWith(`${part}/`))) continue;
      const source = await readSource(root, one.path, MAX_BYTES);
      if (source.kind === 'text') files.push({ path: one.path, text: source.text });
    }
  return files;
}

const LINES_OF_RAW = 40;

/** Makes chunks of 40 lines, with their words unchanged: plain BM25. */
export function rawCorpusOf(files: readonly SourceFile[]): Corpus {
  const chunks = files.flatMap(({ path, text }) => rawChunks(path, text.split('\n')));
  return { files, chunks, index: new Bm25(chunks.map(({ text }) => rawTerms(text))) };
}

function rawChunks(path: string, lines: readonly string[]): FoundChunk[] {
  const chunks: FoundChunk[] = [];
  for (let at = 0; at < lines.length; at += LINES_OF_RAW) {
    const text = lines.slice(at, at + LINES_OF_RAW).join('\n');
    const endLine = Math.min(at + LINES_OF_RAW, lines.length);
    chunks.push({ path, text, startLine: at + 1, endLine, kind: 'block', symbol: '', defines: [] });
  }
  return chunks;
}

export const rawTerms = (text: string): string[] => text.toLowerCase().match(/\w+/g) ?? [];
