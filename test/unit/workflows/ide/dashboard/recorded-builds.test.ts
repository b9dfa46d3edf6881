import { expect, test } from 'vitest';
import type { NewEvent } from '../../../../../src/core/stores/event-store.ts';
import { openDatabase } from '../../../../../src/store/database/database.ts';
import { openEventStore } from '../../../../../src/store/events/open-event-store.ts';
import { recordedBuilds } from '../../../../../src/workflows/ide/dashboard/recorded-builds.ts';
import { temporaryFolder } from '../../../../support/gateway.ts';
import { atEnd } from '../../../../support/shared.ts';

function storeOf() {
  const home = temporaryFolder();
  const database = openDatabase({ home });
  const store = openEventStore({ database, home });
  atEnd(async () => {
    await store.close();
    await database.close();
  });
  return store;
}

const event = (type: string, at: number, body: object | string): NewEvent => ({
  kind: 'metric',
  type,
  at,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

test('events are builds by their type, and end as their status says', async () => {
  const store = storeOf();
  await store.add([
    event('build', 1, { data: { status: 'OK' }, duration: 2e9 }),
    event('build.web', 2, { data: { status: 'error' }, duration: 4e9 }),
    event('build', 3, { data: { status: 'running' } }),
    event('build', 4, { data: { status: 1 }, duration: -1 }),
    event('build', 5, 'no json'),
    event('rebuild', 6, { data: { status: 'ok' } }),
  ]);
  expect(await recordedBuilds(store, [{ kind: 'metric' }])).toEqual({
    total: 5,
    read: 5,
    success: 1,
    failed: 1,
    durations: expect.toSatisfy((durations: number[]) => durations.toSorted((a, b) => a - b).join() === '2000,4000'),
  });
});

test('of very many, all are counted, and the newest are looked at', async () => {
  const store = storeOf();
  const many = Array.from({ length: 5_200 }, (_, at) =>
    event('build', at, { data: { status: at < 200 ? 'ok' : 'failed' } }),
  );
  await store.add(many);
  expect(await recordedBuilds(store, [{ kind: 'metric' }])).toMatchObject({
    total: 5_200,
    read: 5_000,
    success: 0,
    failed: 5_000,
  });
});
