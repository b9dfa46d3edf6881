import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineDiff } from '../../../../src/core/text/line-diff.ts';

test.each([
  ['a\nb\nc', 'a\nb\nc', []],
  ['a\nb\nc', 'a\nx\nc', ['@@ -1 +1 @@', ' a', '-b', '+x', ' c']],
  ['a\nc', 'a\nb\nc', ['@@ -1 +1 @@', ' a', '+b', ' c']],
  ['1\n2\n3\n4\n5\n6', '1\n2\n3\n4\n5', ['@@ -3 +3 @@', ' 3', ' 4', ' 5', '-6']],
  [
    'a\n1\n2\n3\n4\n5\n6\n7\nb',
    'A\n1\n2\n3\n4\n5\n6\n7\nB',
    ['@@ -1 +1 @@', '-a', '+A', ' 1', ' 2', ' 3', '@@ -6 +6 @@', ' 5', ' 6', ' 7', '-b', '+B'],
  ],
])('from %j to %j', (before, after, expected) => {
  expect(lineDiff(before, after)).toEqual(expected);
});

test('what goes and what comes is the whole difference, and no more than need be', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      // So few lines stand within the context of any change, unless there is none.
      const lines = lineDiff(before.join('\n'), after.join('\n')).filter((line) => !line.startsWith('@@'));
      const side = (mark: string) => lines.filter((line) => line[0] !== mark).map((line) => line.slice(1));
      if (before.length > 3 || after.length > 3) return;
      if (lines.length > 0) expect([side('+'), side('-')]).toEqual([before, after]);
      else expect(before).toEqual(after);
    }),
    { numRuns: 500 },
  );
});

test('texts too large to compare are shown as replaced between their common ends', () => {
  const lines = (mark: string) => Array.from({ length: 3_000 }, (_, index) => `${mark}${index}`);
  const found = lineDiff(['head', ...lines('a'), 'tail'].join('\n'), ['head', ...lines('b'), 'tail'].join('\n'));
  expect(found.slice(0, 3)).toEqual(['@@ -1 +1 @@', ' head', '-a0']);
  expect(found.slice(-2)).toEqual(['+b2999', ' tail']);
});
