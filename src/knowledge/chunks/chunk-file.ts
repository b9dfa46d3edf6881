import { blocksOf, linesOf } from './blocks.ts';
import type { Chunk } from './chunk.ts';
import type { Definition } from './definition.ts';
import { definitionsIn } from './definitions.ts';
import { Grammars } from './grammars.ts';
import { languageOf } from './language-of.ts';
import { type LanguageName, rolesOf } from './roles.ts';
import { sectionChunks, sectionSymbols } from './sections.ts';
import { chunksOf } from './structure.ts';
import { type SourceSymbol, symbolsOf } from './symbols.ts';

/** Chunks are made of lines: where these are as long on average, as in minified files, structure is of no use. */
const MAX_MEAN_LINE = 300;

/** The grammars of this thread. */
export const grammars = new Grammars();

/**
 * Returns the chunks of a file, in the order of their first lines. Each line that is not blank is in at least one. The name
 * of the file decides how it is read; what cannot be parsed gives blocks. Grammars are loaded when first needed: files are
 * cut in a worker, whose end frees them.
 * @param text may begin with a byte order mark, and have any line ends
 */
export async function chunkFile(path: string, text: string, using = grammars): Promise<readonly Chunk[]> {
  const lines = linesOf(text);
  if (isMarkdown(path)) return sectionChunks(lines);
  const language = languageOf(path, text);
  if (language === undefined) return blocksOf(lines);
  const chunks = await parsed(language, lines, using, (definitions) => chunksOf(lines, definitions));
  return chunks?.sort((a, b) => a.startLine - b.startLine) ?? blocksOf(lines);
}

/** Returns the symbols of a file in its order: what it defines, or its headings; none for a file without structure. */
export async function outlineFile(path: string, text: string, using = grammars): Promise<readonly SourceSymbol[]> {
  const lines = linesOf(text);
  if (isMarkdown(path)) return sectionSymbols(lines);
  const language = languageOf(path, text);
  if (language === undefined) return [];
  return (await parsed(language, lines, using, (definitions) => symbolsOf(lines, definitions))) ?? [];
}

const isMarkdown = (path: string): boolean => /\.(?:md|mdx|markdown)$/i.test(path);

function parsed<T>(
  language: LanguageName,
  lines: readonly string[],
  using: Grammars,
  use: (definitions: readonly Definition[]) => T,
): Promise<T | undefined> {
  const source = lines.join('\n');
  if (source.length > lines.length * MAX_MEAN_LINE) return Promise.resolve(undefined);
  return using.parse(language, source, ({ rootNode }) => use(definitionsIn(rootNode, rolesOf(language))));
}
