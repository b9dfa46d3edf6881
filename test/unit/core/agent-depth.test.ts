import { expect, test } from 'vitest';
import { depthIn } from '../../../src/core/agent-depth.ts';

test.each([
  [undefined, 0],
  ['', 0],
  ['0', 0],
  ['2', 2],
  ['007', 7],
  ['-1', 1],
  ['1.5', 1],
  ['many', 1],
  ['99999', 1],
])('%j is a depth', (text, depth) => {
  expect(depthIn({ VIADUCT_DEPTH: text })).toBe(depth);
});
