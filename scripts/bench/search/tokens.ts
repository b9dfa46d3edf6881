import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { SourceFile } from './corpus.ts';

const counted = new Map<string, number>();

/** The tokens (o200k) of a file that is read whole. */
export function tokensOfFile({ path, text }: SourceFile): number {
  const known = counted.get(text);
  if (known !== undefined) return known;
  const count = tokensOf(`${path}\n${text}`);
  counted.set(text, count);
  return count;
}

/** Texts may contain what is special to a model: here it is text. */
export const tokensOf = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });
