import { expect, test } from 'vitest';
import { startRound } from '../../support/shared-rounds.ts';

const ROUNDS = 100;

test('a hundred times, fifty clients that start at the same time have one gateway and one process an upstream', async () => {
  for (let round = 0; round < ROUNDS; round++)
    expect([round, await startRound(50)]).toEqual([round, { gateways: 1, processes: [1, 1] }]);
}, 3_600_000);
