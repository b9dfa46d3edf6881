import { expect, test } from 'vitest';
import { killRounds, ReplaceableGateway } from '../../support/replaceable-gateway.ts';
import { roundsOf } from '../../support/rounds.ts';

/** As many gateways in a row in so short a time are more than a client is given. */
const BLOCK = 5;
/** Fifty rounds are for `VIADUCT_KILL_ROUNDS=50`. */
const BLOCKS = Math.ceil(roundsOf('VIADUCT_KILL_ROUNDS', 5) / BLOCK);

test('twenty clients with open calls survive gateways that are killed, round after round', async () => {
  for (let block = 0; block < BLOCKS; block++)
    expect(await killRounds(20, BLOCK)).toEqual(Array.from({ length: 20 }, () => BLOCK));
}, 3_600_000);

test('when no other gateway comes, the client is told and disconnected', async () => {
  const gateway = await ReplaceableGateway.start();
  const { client, child, stderr } = gateway.connect();
  await client.initialize();
  const exit = new Promise((resolve) => child.once('exit', resolve));
  await gateway.end();
  const answer = await client.call('t_echo', { text: 'x' });
  expect(answer._meta['viaduct/gateway']).toMatchObject({ reason: 'cancelled', effect: 'none' });
  expect(await exit).toBe(1);
  expect(stderr()).toContain('no other one has taken its place');
});
