import { describe, expect, it } from 'vitest';
import { grammars, outlineFile } from '../../../../src/knowledge/chunks/chunk-file.ts';
import { SAMPLES } from './language-samples.ts';

describe('the symbols of a file', () => {
  it.each(SAMPLES)('$file', async ({ file, source, symbols }) => {
    const outline = await outlineFile(file, source);
    const shown = outline.map(({ kind, symbol, startLine, endLine }) => `${kind} ${symbol} ${startLine}-${endLine}`);
    expect(shown).toEqual(symbols);
    expect(grammars.faults).toEqual(new Map());
  });
});
