import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { FOLDER_NOTIFICATION } from '../../../src/core/providers/client-folder.ts';
import { StreamClient } from '../../../src/downstream/stream-client.ts';
import type { Arrival } from '../../../src/downstream/streams/arrival.ts';
import { UnreadBudget } from '../../../src/downstream/unread/unread-budget.ts';
import type { Session } from '../../../src/session/session.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { bufferBytes } from '../../support/garbage.ts';

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
      return { introduction: {}, onMessage: () => undefined, end: () => undefined } as unknown as Session;
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

test('once a client is closed, nothing that it sends is kept', async () => {
  const MIB = 1024 * 1024;
  const log = createLog({ level: 'silent' });
  const input = new PassThrough();
  const client = new StreamClient({
    input,
    output: new PassThrough(),
    maxFrameBytes: () => 1_000 * MIB,
    log,
    unread: new UnreadBudget(log),
    openSession: () => Promise.reject(new Error('no client comes')) as never,
    openModern: () => Promise.reject(new Error('no client comes')) as never,
  });
  const before = bufferBytes();
  const send = async (mib: number) => {
    for (let sent = 0; sent < mib; sent++) input.write(Buffer.alloc(MIB, ' '));
    await expect.poll(() => input.readableLength + input.writableLength).toBe(0);
  };
  await send(32);
  expect(bufferBytes() - before).toBeGreaterThan(30 * MIB);
  client.close('the test says so');
  await send(32);
  await expect.poll(() => bufferBytes() - before, { timeout: 10_000 }).toBeLessThan(8 * MIB);
});
