import { expect, test } from 'vitest';
import { killRounds, ReplaceableGateway } from '../../support/replaceable-gateway.ts';

test('twenty clients with open calls survive fifty gateways that are killed', async () => {
  // As many gateways in a row in so short a time are more than a client is given.
  for (let block = 0; block < 10; block++) expect(await killRounds(20, 5)).toEqual(Array.from({ length: 20 }, () => 5));
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
