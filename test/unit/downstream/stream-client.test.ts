import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { FOLDER_NOTIFICATION } from '../../../src/core/client-folder.ts';
import { type Arrival, StreamClient } from '../../../src/downstream/stream-client.ts';
import { UnreadBudget } from '../../../src/downstream/unread/unread-budget.ts';
import type { Session } from '../../../src/session/session.ts';
import { createLog } from '../../../src/telemetry/log.ts';

/** What is known of a client that says these things first. */
async function arrivalOf(...notifications: readonly object[]): Promise<Arrival> {
  const log = createLog({ level: 'silent' });
  const input = new PassThrough();
  const arrivals: Arrival[] = [];
  const client = new StreamClient({
    input,
    output: new PassThrough(),
    maxFrameBytes: () => 10_000,
    log,
    unread: new UnreadBudget(log),
    openSession(arrival) {
      arrivals.push(arrival);
      return { onMessage: () => undefined, end: () => undefined } as unknown as Session;
    },
    openModern: () => Promise.reject(new Error('no modern client comes')) as never,
  });
  const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
  for (const message of [...notifications, initialize]) input.write(`${JSON.stringify(message)}\n`);
  await expect.poll(() => arrivals.length).toBe(1);
  client.close('the test has ended');
  return arrivals[0]!;
}

const told = (params: object) => ({ jsonrpc: '2.0', method: FOLDER_NOTIFICATION, params });

test('a client says first where it was started, and behind how many agents', async () => {
  expect(await arrivalOf(told({ folder: '/work', depth: '1' }))).toMatchObject({ folder: '/work', depth: 1 });
  expect(await arrivalOf(told({ folder: '/work' }))).toMatchObject({ folder: '/work', depth: 0 });
  expect(await arrivalOf(told({ folder: '/work', depth: 'x' }))).toMatchObject({ depth: 1 });
  // An agent behind `viaduct stdio` cannot take it back.
  expect(await arrivalOf(told({ folder: '/work', depth: '1' }), told({ folder: '/other', depth: '0' }))).toMatchObject({
    folder: '/other',
    depth: 1,
  });
  expect(await arrivalOf()).toMatchObject({ folder: undefined, depth: 0 });
});
