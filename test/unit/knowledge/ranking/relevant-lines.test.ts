import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readQuery } from '../../../../src/knowledge/ranking/query.ts';
import { relevantLines } from '../../../../src/knowledge/ranking/relevant-lines.ts';

const lines = (count: number, at: number, text: string) =>
  Array.from({ length: count }, (_, index) => (index === at ? text : `nothing ${index}`)).join('\n');

test('a short chunk comes back whole', () => {
  const chunk = { text: 'a\nb', startLine: 3, endLine: 4 };
  expect(relevantLines(chunk, readQuery('b'), 2)).toEqual(chunk);
});

test('of a long one, the lines that have the words of the query', () => {
  const chunk = { text: lines(100, 70, 'parseHeader(text)'), startLine: 11, endLine: 110 };
  const found = relevantLines(chunk, readQuery('parse header'), 10);
  expect(found.text).toContain('parseHeader');
  expect(found).toMatchObject({ startLine: 72, endLine: 81 });
});

test('an outline, which leaves lines out, comes back whole', () => {
  const chunk = { text: lines(40, 0, 'class A {'), startLine: 1, endLine: 400 };
  expect(relevantLines(chunk, readQuery('nothing'), 10).text).toBe(chunk.text);
});

test('are lines of the chunk with their numbers, at most so many', () => {
  const chunks = fc.array(fc.constantFrom('alpha', 'beta', 'x', ''), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(chunks, fc.integer({ min: 1, max: 20 }), (all, most) => {
      const chunk = { text: all.join('\n'), startLine: 1, endLine: all.length };
      const { text, startLine, endLine } = relevantLines(chunk, readQuery('alpha beta'), most);
      expect(text.split('\n')).toEqual(all.slice(startLine - 1, endLine));
      expect(endLine - startLine).toBeLessThan(most);
      const has = (word: string, some: readonly string[]) => some.includes(word);
      if (has('alpha', all)) expect(has('alpha', text.split('\n')) || has('beta', text.split('\n'))).toBe(true);
    }),
  );
});
