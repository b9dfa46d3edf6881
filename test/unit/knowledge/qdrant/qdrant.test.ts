import { expect, test } from 'vitest';
import { startQdrant } from '../../../../fixtures/services/qdrant.ts';
import { Qdrant, QdrantError } from '../../../../src/knowledge/qdrant/qdrant.ts';
import { quickClock, standIn } from '../../../support/knowledge/services.ts';

const { signal } = new AbortController();
const ID = '00000000-0000-0000-0000-000000000001';
const point = (id: string, source: string, vector: number[]) => ({
  id,
  vector: Float32Array.from(vector),
  payload: { source },
});

async function open() {
  const service = await standIn(startQdrant());
  const clock = quickClock();
  return { service, clock, qdrant: new Qdrant({ url: service.url, clock }) };
}

test('collections are made, listed, described and removed', async () => {
  const { qdrant } = await open();
  expect(await qdrant.names(signal)).toEqual([]);
  expect(await qdrant.collection('b', signal)).toBeUndefined();
  await qdrant.create('b', 2, signal);
  await qdrant.create('b', 2, signal);
  await qdrant.create('a', 3, signal);
  expect(await qdrant.names(signal)).toEqual(['a', 'b']);
  expect(await qdrant.collection('b', signal)).toEqual({ points: 0, status: 'green', dimensions: 2 });
  await qdrant.remove('b', signal);
  expect(await qdrant.names(signal)).toEqual(['a']);
});

test('points are found by their nearness, and go by their source', async () => {
  const { qdrant } = await open();
  await qdrant.create('c', 2, signal);
  const ids = ['1', '2', '3'].map((end) => ID.replace(/1$/, end));
  await qdrant.upsert(
    'c',
    [point(ids[0]!, 'x', [1, 0]), point(ids[1]!, 'x', [1, 1]), point(ids[2]!, 'y', [0, 1])],
    signal,
  );
  const found = await qdrant.query('c', Float32Array.from([1, 0]), 2, signal);
  expect(found).toEqual([
    { score: expect.closeTo(1, 5), payload: { source: 'x' } },
    { score: expect.closeTo(Math.SQRT1_2, 5), payload: { source: 'x' } },
  ]);
  await qdrant.deleteSource('c', 'x', [ids[1]!], signal);
  expect(await qdrant.collection('c', signal)).toMatchObject({ points: 2 });
  await qdrant.deleteSource('c', 'x', [], signal);
  expect((await qdrant.query('c', Float32Array.from([1, 0]), 9, signal))!.map(({ payload }) => payload.source)).toEqual(
    ['y'],
  );
  expect(await qdrant.query('none', Float32Array.from([1, 0]), 9, signal)).toBeUndefined();
});

test('names are one part of a path, whatever is in them', async () => {
  const { qdrant, service } = await open();
  await qdrant.create('a b.c', 1, signal);
  expect(await qdrant.names(signal)).toEqual(['a b.c']);
  expect(service.requests[0]!.path).toBe('/collections/a b.c');
});

test('what is written is tried again, what is looked up is not', async () => {
  const { qdrant, service, clock } = await open();
  service.fail('error', 2);
  await qdrant.create('c', 1, signal);
  expect(clock.waits).toEqual([1_000, 2_000]);
  service.fail('error', 1);
  await expect(qdrant.names(signal)).rejects.toThrow(`Qdrant at ${service.url}/ answers 500 (something broke)`);
});

test.each([
  ['html', 'answers something that Qdrant does not: check "url"'],
  ['half', 'cannot be reached ('],
  ['redirect', 'redirects to another address (307), which is not followed'],
  ['huge', 'answers with more than'],
] as const)('%s is a fault that is named', async (fault, words) => {
  const { qdrant, service } = await open();
  service.fail(fault);
  const error = await qdrant.names(signal).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(QdrantError);
  expect((error as QdrantError).message).toContain(`Qdrant at ${service.url}/ ${words}`);
});

test('a cancelled call ends with its own reason', async () => {
  const { qdrant, service } = await open();
  service.fail('slow');
  const call = new AbortController();
  const names = qdrant.names(call.signal);
  await service.whenAsked(1);
  call.abort(new Error('gone'));
  await expect(names).rejects.toThrow('gone');
});
