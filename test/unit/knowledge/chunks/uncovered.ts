import type { Chunk } from '../../../../src/knowledge/chunks/chunk.ts';

/** Lines of a text that are not blank, and that no chunk shows which says that it has them; with their numbers. */
export function uncoveredLines(text: string, chunks: readonly Chunk[]): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const shown = chunks.map((chunk) => ({ chunk, texts: new Set(chunk.text.split('\n')) }));
  return lines.flatMap((line, row) => {
    const isShown = shown.some(
      ({ chunk, texts }) => isWithin(chunk, row + 1) && (texts.has(line) || line.length > 4_000),
    );
    return line.trim() === '' || isShown ? [] : [`${row + 1}: ${line}`];
  });
}

const isWithin = ({ startLine, endLine }: Chunk, line: number): boolean => startLine <= line && line <= endLine;
