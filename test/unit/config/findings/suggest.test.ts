import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { suggest } from '../../../../src/config/findings/suggest.ts';

const KEYS = ['command', 'args', 'env', 'cwd', 'maxConcurrency', 'inferHints', 'prefix'];

describe('suggest', () => {
  test.each([
    ['a letter missing', 'comand', 'command'],
    ['a letter too many', 'argss', 'args'],
    ['a wrong letter', 'prefex', 'prefix'],
    ['two neighbours swapped', 'evn', 'env'],
    ['snake case', 'max_concurrency', 'maxConcurrency'],
    ['kebab case', 'infer-hints', 'inferHints'],
    ['other capitals', 'CWD', 'cwd'],
    ['two mistakes in a long word', 'maxConcurency1', 'maxConcurrency'],
  ])('%s', (_name, word, meant) => {
    expect(suggest(word, KEYS)).toBe(meant);
  });

  test.each([
    ['something else', 'description'],
    ['a short word with no letter right', 'abc'],
    ['one letter', 'e'],
    ['nothing', ''],
  ])('%s: none', (_name, word) => {
    expect(suggest(word, KEYS)).toBeUndefined();
  });

  test('the nearest of several wins', () => {
    expect(suggest('fasd', ['fist', 'fast'])).toBe('fast');
  });

  test('a swap counts once: in a word of three letters one mistake is allowed', () => {
    expect(suggest('bac', ['abc'])).toBe('abc');
    expect(suggest('bca', ['abc'])).toBeUndefined();
  });

  test('a candidate itself is always suggested', () => {
    const words = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, (candidates) => {
        expect(candidates.map((one) => suggest(one, candidates))).toEqual(candidates);
      }),
    );
  });

  test('one letter removed from a long word still finds it', () => {
    const word = fc.stringMatching(/^[a-z]{4,12}$/);
    fc.assert(
      fc.property(word, fc.nat(3), (whole, at) => {
        expect(suggest(whole.slice(0, at) + whole.slice(at + 1), [whole])).toBe(whole);
      }),
    );
  });
});
