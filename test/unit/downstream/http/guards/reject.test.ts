import { expect, test } from 'vitest';
import { keysUnavailable } from '../../../../../src/downstream/http/guards/reject.ts';

test.each([
  [0, '1'],
  [0.2, '1'],
  [1_000, '1'],
  [1_001, '2'],
  [5_000, '5'],
  // What two times on the clock may differ by, 5 s apart.
  [4_097.3 + 5_000 - 4_097.3, '5'],
  [5_000.000_000_1, '5'],
])('a client that may come again after %d ms is told so in whole seconds', (waitMs, seconds) => {
  expect(keysUnavailable(waitMs).headers).toMatchObject({ 'retry-after': seconds });
});
