import { describe, expect, test } from 'vitest';
import { documentChunks } from '../../../../src/knowledge/documents/document-chunks.ts';

const textsOf = (text: string) => documentChunks(text).map((chunk) => chunk.text);
const words = (count: number, word = 'word') => Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ');

test.each(['', '  \n\n \t', '\r\n\r\n'])('a blank text %j has no chunks', (text) => {
  expect(documentChunks(text)).toEqual([]);
});

test('sections begin at "## ", keep their headings, and are called by them', () => {
  const text = '# Title\nIntro.\n\n## First part \nOne.\n### Deeper\nTwo.\n##no heading\n\n## Second\n';
  expect(documentChunks(text)).toEqual([
    { text: '# Title\nIntro.', section: '' },
    { text: '## First part \nOne.\n### Deeper\nTwo.\n##no heading', section: 'First part' },
    { text: '## Second', section: 'Second' },
  ]);
});

test('line ends of Windows are line ends', () => {
  expect(documentChunks('## A\r\none\r\n\r\ntwo\r\n## B\r\nthree')).toEqual([
    { text: '## A\none\n\ntwo', section: 'A' },
    { text: '## B\nthree', section: 'B' },
  ]);
});

describe('a section of more than 500 bytes', () => {
  const paragraph = words(30); // 199 bytes

  test('of 500 bytes it is one chunk, of 501 bytes several', () => {
    expect(textsOf(`${'a'.repeat(249)}\n\n${'b'.repeat(249)}`)).toHaveLength(1);
    expect(textsOf(`${'a'.repeat(249)}\n\n${'b'.repeat(250)}`)).toHaveLength(2);
  });

  test('bytes count, not characters', () => {
    expect(textsOf(`${'ä'.repeat(124)}\n\n${'ä'.repeat(125)}`)).toHaveLength(1);
    expect(textsOf(`${'ä'.repeat(124)}\n\n${'ä'.repeat(126)}`)).toHaveLength(2);
  });

  test('paragraphs are packed, and a chunk begins with the last words of the one before', () => {
    const chunks = documentChunks(`## Long\n\n${paragraph}\n\n\n\n${paragraph}\n\n${paragraph}`);
    expect(chunks.map(({ section }) => section)).toEqual(['Long', 'Long']);
    expect(chunks[0]!.text).toBe(`## Long\n\n${paragraph}\n\n${paragraph}`);
    expect(chunks[1]!.text).toBe(`word23 word24 word25 word26 word27 word28 word29\n\n${paragraph}`);
  });

  test('nothing overlaps from one section to the next, or from a chunk of up to 50 characters', () => {
    expect(textsOf(`## A\n\n${paragraph}\n\n## B\n\n${paragraph}`)[1]).toBe(`## B\n\n${paragraph}`);
    const long = 'x'.repeat(480);
    expect(textsOf(`${'y'.repeat(50)}\n\n${long}`)).toEqual(['y'.repeat(50), long]);
  });

  test('the overlap cuts no character', () => {
    const [, second] = textsOf(`${'🙂'.repeat(100)}\n\n${'z'.repeat(200)}`);
    expect(second).toBe(`${'🙂'.repeat(50)}\n\n${'z'.repeat(200)}`);
  });

  test('paragraphs of more than 500 bytes are cut behind sentences', () => {
    const sentence = (end: string) => `${'s'.repeat(200)} t${end}`;
    const chunks = textsOf([sentence('.'), sentence('?'), sentence('!'), sentence('.')].join(' '));
    expect(chunks[0]).toBe(`${sentence('.')}\n\n${sentence('?')}`);
    expect(chunks[1]).toBe(`t?\n\n${sentence('!')}\n\n${sentence('.')}`);
  });

  test('a sentence of more than 500 bytes stays whole, one without end is cut between words', () => {
    const sentence = words(100, 'w');
    expect(textsOf(sentence)).toEqual([sentence]);
    const chunks = textsOf(words(2_000));
    expect(chunks.length).toBeGreaterThan(20);
    expect(Math.max(...chunks.map((chunk) => Buffer.byteLength(chunk)))).toBeLessThanOrEqual(560);
    for (let at = 0; at < 2_000; at++)
      expect(chunks.some((chunk) => chunk.split(/\s+/).includes(`word${at}`))).toBe(true);
  });

  test('a word without end is cut between characters', () => {
    const chunks = textsOf('🙂'.repeat(5_000));
    expect(chunks.every((chunk) => chunk.isWellFormed())).toBe(true);
  });
});

test('16 MB take time in proportion', () => {
  const text = `${words(40)}. ${'\n'.repeat(3)}`.repeat(60_000);
  expect(documentChunks(text).length).toBeGreaterThan(20_000);
});
