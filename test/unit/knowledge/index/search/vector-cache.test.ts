import { describe, expect, test } from 'vitest';
import { VectorCache } from '../../../../../src/knowledge/index/search/vector-cache.ts';
import { bytesOf } from '../../../../../src/knowledge/vectors/vector-bytes.ts';
import type { KnowledgeStore } from '../../../../../src/store/knowledge/knowledge-store.ts';
import type { Space } from '../../../../../src/store/knowledge/rows.ts';
import { knowledgeStoresIn, sourceOf } from '../../../../support/knowledge/knowledge-store.ts';
import { KINDS } from '../../../../support/stores/databases.ts';

const MODEL = 'a-model';
const ASKED = Float32Array.from([1, 0]);
/** What three texts with two numbers each take. */
const THREE_TEXTS = 3 * (2 + 1) * 4;
const NO_TEXTS = new Set<number>();

/** Text `n` of a space is the farther from what is asked, the greater `n` is. */
const vectorOf = (n: number) => Float32Array.from([1, n]);

describe.each(KINDS)('vectors that are kept in memory, in %s', (kind) => {
  const stores = knowledgeStoresIn(kind);

  async function storeIn(skip: () => never) {
    const [store] = await stores.open(skip);
    const reads: (readonly number[])[] = [];
    const among: KnowledgeStore['vectors']['among'] = (model, texts) => {
      reads.push(texts);
      return store!.vectors.among(model, texts);
    };
    const observed = { ...store!, vectors: { ...store!.vectors, among } };
    return { store: observed, reads };
  }

  /** Makes a space of files with one text each, or writes more of them, and gives the new texts their vectors. */
  async function fill(store: KnowledgeStore, name: string, numbers: readonly number[], model = MODEL): Promise<Space> {
    const { space } = await store.spaces.make('repository', name, name);
    await store.write(
      space,
      numbers.map((n) => sourceOf(`${n}.ts`, `text ${n} of ${name}`)),
    );
    const missing = await store.vectors.bodies(await store.vectors.missing(space.number, { model, dimensions: 2 }));
    const numbered = missing.map(({ text, body }) => ({
      text,
      n: Number(/\d+/.exec(Buffer.from(body).toString())![0]),
    }));
    await store.vectors.put(
      model,
      numbered.map(({ text, n }) => ({ text, body: bytesOf(vectorOf(n)) })),
    );
    return (await store.spaces.byId(space.id))!;
  }

  const nearest = async (cache: VectorCache, space: Space, count = 10, model = MODEL) =>
    (await cache.nearest({ space, model }, ASKED, count)).map(({ cosine }) => Math.round(1 / cosine ** 2 - 1));

  test('are read once, also by many searches at once', async ({ skip }) => {
    const { store, reads } = await storeIn(skip);
    const space = await fill(store, 'one', [1, 2, 3]);
    const cache = new VectorCache(store);
    const found = await Promise.all(Array.from({ length: 20 }, () => nearest(cache, space)));
    for (const squares of found) expect(squares).toEqual([1, 4, 9]);
    expect(reads.map(({ length }) => length)).toEqual([3]);
  });

  test('follow the index: only what is new is read', async ({ skip }) => {
    const { store, reads } = await storeIn(skip);
    const space = await fill(store, 'one', [2, 3, 4]);
    const cache = new VectorCache(store);
    expect(await nearest(cache, space)).toEqual([4, 9, 16]);
    const more = await fill(store, 'one', [1, 5]);
    expect(await nearest(cache, more)).toEqual([1, 4, 9, 16, 25]);
    expect(reads.map(({ length }) => length)).toEqual([3, 2]);
    const gone = await store.source(space.number, '2.ts');
    await store.write(space, [], [gone!.number]);
    expect(await nearest(cache, (await store.spaces.byId(space.id))!)).toEqual([1, 9, 16, 25]);
    expect(reads.map(({ length }) => length)).toEqual([3, 2]);
  });

  test('leave when others need the room, those first that were used least recently', async ({ skip }) => {
    const { store, reads } = await storeIn(skip);
    const [one, two, three] = [
      await fill(store, 'one', [1, 2, 3]),
      await fill(store, 'two', [1, 2, 3]),
      await fill(store, 'three', [1, 2, 3]),
    ];
    const cache = new VectorCache(store, 2 * THREE_TEXTS);
    const readsOf = async (space: Space) => {
      const before = reads.length;
      expect(await nearest(cache, space)).toEqual([1, 4, 9]);
      expect(cache.bytes).toBeLessThanOrEqual(2 * THREE_TEXTS);
      return reads.length - before;
    };
    for (const space of [one, two]) expect(await readsOf(space)).toBe(1);
    expect(await readsOf(one)).toBe(0);
    expect(await readsOf(three)).toBe(1);
    expect(await readsOf(one)).toBe(0);
    expect(await readsOf(two)).toBe(1);
    expect(await readsOf(three)).toBe(1);
  });

  test('are not kept where they need more room than there is, and compared all the same', async ({ skip }) => {
    const { store } = await storeIn(skip);
    const space = await fill(store, 'one', [3, 1, 2]);
    const cache = new VectorCache(store, THREE_TEXTS - 1);
    expect(await nearest(cache, space, 2)).toEqual([1, 4]);
    expect(cache.bytes).toBe(0);
    const texts = await store.vectors.textsWith(space.number, MODEL);
    const some = new Set(texts.slice(1));
    expect(new Set((await cache.cosines({ space, model: MODEL }, ASKED, some, 10)).keys())).toEqual(some);
  });

  test('are compared with those of their model and length only', async ({ skip }) => {
    const { store } = await storeIn(skip);
    const space = await fill(store, 'one', [1, 2]);
    await fill(store, 'one', [1, 2, 3], 'another');
    const cache = new VectorCache(store);
    const now = (await store.spaces.byId(space.id))!;
    expect(await nearest(cache, now)).toEqual([1, 4]);
    expect(await nearest(cache, now, 10, 'another')).toEqual([1, 4, 9]);
    expect(await cache.cosines({ space: now, model: MODEL }, Float32Array.from([1, 0, 0]), NO_TEXTS, 10)).toEqual(
      new Map(),
    );
  });

  test('a failed read is tried again', async ({ skip }) => {
    const { store } = await storeIn(skip);
    const space = await fill(store, 'one', [1, 2]);
    let isFailing = true;
    const among: KnowledgeStore['vectors']['among'] = (...asked) =>
      isFailing ? Promise.reject(new Error('disk')) : store.vectors.among(...asked);
    const cache = new VectorCache({ ...store, vectors: { ...store.vectors, among } });
    await expect(nearest(cache, space)).rejects.toThrow('disk');
    isFailing = false;
    expect(await nearest(cache, space)).toEqual([1, 4]);
  });
});
