import { expect, test } from 'vitest';
import { didYouMean, nameHint } from '../../../../src/core/text/name-hint.ts';

test('names that are near are asked for, the nearest first, at most three', () => {
  expect(didYouMean('gihtub', ['gitlab', 'github', 'files'])).toMatch(/^Did you mean "github"/);
  expect(didYouMean('readfile', ['read_file', 'x'])).toBe('Did you mean "read_file"?');
  expect(didYouMean('file', ['file1', 'file2', 'file3', 'file4'])).toBe('Did you mean "file1", "file2" or "file3"?');
  expect(didYouMean('zzz', ['github'])).toBe('');
});

test('where none is near, all are told; of very many the first', () => {
  expect(nameHint('zzz', ['github', 'files'])).toBe('Known: github, files');
  expect(nameHint('zzz', [])).toBe('Known: none');
  const many = Array.from({ length: 40 }, (_, index) => `server${index}`);
  expect(nameHint('zzz', many)).toMatch(/server29 and 10 more$/);
});
