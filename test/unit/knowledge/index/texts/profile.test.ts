import { expect, test } from 'vitest';
import { countsIn, hashOf, profileOf } from '../../../../../src/knowledge/index/texts/profile.ts';

test('a profile says how often a term is in a text, up to 255', () => {
  const { profile, length } = profileOf(
    new Map([
      ['otter', 3],
      ['漢字', 1],
      ['lemur', 1_000],
    ]),
  );
  expect(length).toBe(1_004);
  expect(profile).toHaveLength(12);
  expect(countsIn(profile, ['lemur', 'otter', 'walrus', '漢字'].map(hashOf))).toEqual([255, 3, 0, 1]);
});
