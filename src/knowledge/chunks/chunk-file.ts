import { blocksOf, linesOf } from './blocks.ts';
import type { Chunk } from './chunk.ts';
import { definitionsIn } from './definitions.ts';
import { parserFor } from './grammars.ts';
import { languageOf } from './language-of.ts';
import { grammarOf, type LanguageName } from './roles.ts';
import { sectionsOf } from './sections.ts';
import { chunksOf } from './structure.ts';

/**
 * Returns the chunks of a file, in the order of their first lines. Each line that is not blank is in at least one. The name of
 * the file decides how it is read; one that cannot be parsed gives blocks. Grammars are loaded when first needed.
 */
export async function chunkFile(path: string, text: string): Promise<readonly Chunk[]> {
  const lines = linesOf(text);
  if (/\.(?:md|mdx|markdown|rst)$/i.test(path)) return sectionsOf(lines);
  const language = languageOf(path, text);
  if (language === undefined) return blocksOf(lines);
  return (await parsed(language, lines)) ?? blocksOf(lines);
}

async function parsed(language: LanguageName, lines: readonly string[]): Promise<Chunk[] | undefined> {
  const parser = await parserFor(language);
  const tree = parser?.parse(lines.join('\n'));
  if (!tree) return undefined;
  try {
    return chunksOf(lines, definitionsIn(tree.rootNode, grammarOf(language).roles));
  } finally {
    tree.delete();
  }
}
