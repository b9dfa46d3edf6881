import { expect, test } from 'vitest';
import { roundsOf } from '../../support/rounds.ts';
import { startRound } from '../../support/shared-rounds.ts';

/** Ask for a hundred with `VIADUCT_RACE_ROUNDS=100`. */
const ROUNDS = roundsOf('VIADUCT_RACE_ROUNDS', 3);

test('round after round, fifty clients that start at the same time have one gateway and one process an upstream', async () => {
  for (let round = 0; round < ROUNDS; round++)
    expect([round, await startRound(50)]).toEqual([round, { gateways: 1, processes: [1, 1] }]);
}, 3_600_000);
