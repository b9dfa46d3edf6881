import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWord } from '../../../../src/core/text/shell-word.ts';

test('a plain word stays as it is', () => {
  expect(shellWord('/home/me/viaduct.yaml')).toBe('/home/me/viaduct.yaml');
  expect(shellWord('$(touch x)')).toBe("'$(touch x)'");
  expect(shellWord('')).toBe("''");
});

test.skipIf(process.platform === 'win32')('a shell reads exactly the words that were quoted', () => {
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0') && text.isWellFormed());
  const words = fc.sample(word, 500);
  const script = `printf '%s\\0' ${words.map(shellWord).join(' ')}`;
  expect(execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1)).toEqual(words);
});
