import { expect, test } from 'vitest';
import { KEEP_ALIVE_HEADER, openServer } from '../../../../../src/downstream/http/server/open-server.ts';

// A client that is busy counts time more slowly than it passes, and would send on a connection that is just being closed.
test('an idle connection stays open for twice as long as its client is told', async () => {
  const announced = Number(/^timeout=(\d+)$/.exec(KEEP_ALIVE_HEADER)?.[1]);
  const { keepAliveTimeout } = await openServer(undefined);
  expect(announced).toBeGreaterThan(0);
  expect(keepAliveTimeout).toBe(2 * announced * 1_000);
});
