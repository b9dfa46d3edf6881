import { expect, test } from 'vitest';
import { Successors } from '../../../../src/gateway/providers/successors.ts';

test('a running part is kept once, and what nobody keeps is left', () => {
  const [a, b] = [{ identity: 'a' }, { identity: 'b' }];
  const successors = new Successors([a, b]);
  expect(successors.keep('c')).toBeUndefined();
  expect(successors.left()).toEqual([a, b]);
  expect(successors.keep('a')).toBe(a);
  expect(successors.keep('a')).toBeUndefined();
  expect(successors.left()).toEqual([b]);
});
