import { expect, test } from 'vitest';
import { killRounds, ReplaceableGateway } from '../../support/replaceable-gateway.ts';
import { killSharedRounds } from '../../support/rounds/killed-shared-gateways.ts';
import { roundsOf } from '../../support/rounds/rounds.ts';

const CLIENTS = 20;
/** As many gateways in a row in so short a time are more than a client is given. */
const BLOCK = 5;
/** Fifty rounds are for `VIADUCT_KILL_ROUNDS=50`. */
const ROUNDS = roundsOf('VIADUCT_KILL_ROUNDS', 5);

test('twenty clients with open calls survive gateways that are killed, round after round', async () => {
  for (let round = 0; round < ROUNDS; round += BLOCK)
    expect(await killRounds(CLIENTS, BLOCK)).toEqual(Array.from({ length: CLIENTS }, () => BLOCK));
}, 3_600_000);

test('twenty clients with open calls survive shared gateways that are killed, and nothing is left', async () => {
  for (let round = 0; round < ROUNDS; round += BLOCK) {
    const rounds = Math.min(BLOCK, ROUNDS - round);
    const { answers, slowestMs, left } = await killSharedRounds(CLIENTS, rounds);
    expect(answers).toEqual(Array.from({ length: CLIENTS }, () => rounds));
    expect(left).toEqual([]);
    console.info(`killed ${rounds} times: all clients worked again after ${Math.round(slowestMs)} ms at most`);
  }
}, 3_600_000);

test('when no other gateway comes, the client is told and disconnected', async () => {
  const gateway = await ReplaceableGateway.start();
  const { client, child, stderr } = gateway.connect();
  await client.initialize();
  const exit = new Promise((resolve) => child.once('exit', resolve));
  const open = client.call('t_wait', { ms: 3_600_000 });
  await gateway.hasCalls(1);
  await gateway.end();
  // The next call is sent only when the client's process knows that the gateway has ended.
  expect((await open)._meta['viaduct/gateway']).toMatchObject({ reason: 'exited' });
  const answer = await client.call('t_echo', { text: 'x' });
  expect(answer._meta['viaduct/gateway']).toMatchObject({ reason: 'cancelled', effect: 'none' });
  expect(await exit).toBe(1);
  expect(stderr()).toContain('no other one has taken its place');
});
