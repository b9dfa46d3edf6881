import { expect, test } from 'vitest';
import { characterCount } from '../../../../src/core/text/character-count.ts';

test.each([
  ['', 0],
  ['abc', 3],
  ['\u{1F980}\u{1F980}', 2],
  ['a\u{1F980}\uD800', 3],
  ['e\u0301', 2],
])('%j has %i characters', (text, count) => expect(characterCount(text)).toBe(count));
