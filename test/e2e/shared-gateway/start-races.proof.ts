import { expect, test } from 'vitest';
import { startRound } from '../../support/rounds/shared-rounds.ts';

test('fifty clients that start at the same time have one gateway and one process an upstream', async () => {
  for (let round = 0; round < 2; round++) expect(await startRound(50)).toEqual({ gateways: 1, processes: [1, 1] });
});
