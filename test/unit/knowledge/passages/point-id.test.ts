import { expect, test } from 'vitest';
import { pointId } from '../../../../src/knowledge/passages/point-id.ts';

// printf 'docs/a.md:0:Hello' | md5sum
test('the id is the MD5 of source, index and text as a UUID', () => {
  expect(pointId({ source: 'docs/a.md', chunkIndex: 0, text: 'Hello' })).toBe('99086cf4-4849-6df3-ab6c-06e5223d23c4');
});

test('100 characters of the text count, however many bytes they have', () => {
  const idOf = (text: string) => pointId({ source: 's', chunkIndex: 1, text });
  const hundred = '🙂'.repeat(100);
  expect(idOf(`${hundred}a`)).toBe(idOf(`${hundred}b`));
  expect(idOf(hundred.slice(2))).not.toBe(idOf(hundred));
});
