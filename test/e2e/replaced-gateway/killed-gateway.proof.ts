import { expect, test } from 'vitest';
import { killSharedRounds } from '../../support/killed-shared-gateways.ts';
import { killRounds, ReplaceableGateway } from '../../support/replaceable-gateway.ts';
import { roundsOf } from '../../support/rounds.ts';

const CLIENTS = 20;
/** As many gateways in a row in so short a time are more than a client is given. */
const BLOCK = 5;
const ROUNDS = roundsOf('VIADUCT_KILL_ROUNDS', 10);

test('twenty clients with open calls survive fifty gateways that are killed', async () => {
  for (let block = 0; block < 10; block++) expect(await killRounds(20, 5)).toEqual(Array.from({ length: 20 }, () => 5));
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
  await gateway.end();
  const answer = await client.call('t_echo', { text: 'x' });
  expect(answer._meta['viaduct/gateway']).toMatchObject({ reason: 'cancelled', effect: 'none' });
  expect(await exit).toBe(1);
  expect(stderr()).toContain('no other one has taken its place');
});
