import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { chunkFile, grammars } from '../../../../src/knowledge/chunks/chunk-file.ts';
import { SAMPLES } from './language-samples.ts';
import { uncoveredLines } from './uncovered.ts';

const MARKDOWN = '# One\n\ntext\n\n```sh\n# no heading\n```\n\n## Two\n\n- a\n- b\n';
const SOURCES = [...SAMPLES, { file: 'page.md', source: MARKDOWN }, { file: 'notes.txt', source: 'a\n\nb\n' }];

const ODD = ['{', '}', '(', '"', '/*', '*/', '"""', '#', '\\', '<<EOF', 'end', '  ', '\t', 'ä = "😀"; // ü', '\u2028'];

/** A source whose pieces were shuffled, with unexpected text between them. */
function torn(source: string): fc.Arbitrary<string> {
  const line = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...source.split('\n')) },
    fc.constantFrom(...ODD),
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll(/[\r\n]/g, '')),
  );
  return fc
    .tuple(fc.array(line, { maxLength: 100 }), fc.constantFrom('\n', '\r\n'), fc.constantFrom('', '\uFEFF'))
    .map(([lines, end, mark]) => mark + lines.join(end));
}

describe('the lines of chunks', () => {
  afterEach(() => expect(grammars.faults).toEqual(new Map()));

  it.each(SOURCES)('cover every line that is not blank, whatever the text is: $file', async ({ file, source }) => {
    await fc.assert(
      fc.asyncProperty(torn(source), async (text) => {
        expect(uncoveredLines(text, await chunkFile(file, text))).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it.each(SOURCES)(
    'are those of the file, with and without carriage returns and a mark: $file',
    async ({ file, source }) => {
      const wide = source.replace(/\n/, `\n// ${'ü😀'.repeat(40)}\n`);
      const chunks = await chunkFile(file, wide);
      expect(uncoveredLines(wide, chunks)).toEqual([]);
      expect(await chunkFile(file, `\uFEFF${wide.replaceAll('\n', '\r\n')}`)).toEqual(chunks);
    },
  );

  it('come in the order of the file', async () => {
    for (const { file, source } of SOURCES) {
      const starts = (await chunkFile(file, source.repeat(20))).map(({ startLine }) => startLine);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    }
  });
});

describe('the size of chunks', () => {
  it.each(SOURCES)('is bounded: $file', async ({ file, source }) => {
    for (const chunk of await chunkFile(file, source.repeat(60))) {
      expect(chunk.text.split('\n').length).toBeLessThanOrEqual(122);
      expect(chunk.text.length).toBeLessThanOrEqual(8_000);
    }
  });

  it('is that of a line where this is longer, which is cut', async () => {
    const line = 'x'.repeat(9_000);
    const chunks = await chunkFile('data.txt', `a\n${line}\nb`);
    expect(
      chunks
        .map(({ text }) => text)
        .join('')
        .replaceAll(/[ab]/g, ''),
    ).toBe(line);
    expect(chunks.every(({ text }) => text.length <= 4_000)).toBe(true);
    expect(chunks[1]).toMatchObject({ startLine: 2, endLine: 2 });
  });
});
