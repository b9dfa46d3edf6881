import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { CHAT_LIMITS } from '../../../../src/core/stores/chat-store.ts';
import { openChatStore } from '../../../../src/store/ide/open-chat-store.ts';
import { databases, KINDS } from '../../../support/stores/databases.ts';

const NONE = '00000000-0000-4000-8000-000000000000';
const user = (content: string) => ({ role: 'user' as const, content, author: undefined });
const never = () => false;
const always = () => true;

describe.each(KINDS)('chats in %s', (kind) => {
  const { newPlace, open } = databases(kind);
  const openIn = (place: Awaited<ReturnType<typeof newPlace>>) => open(place, openChatStore).store;

  test('are created, read, and the same for another process', async ({ skip }) => {
    const place = await newPlace(skip);
    const store = openIn(place);
    const made = await store.create({ projectId: 'p', name: 'A name \u{1F980}\0' });
    expect(made).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      projectId: 'p',
      name: 'A name \u{1F980}\u{FFFD}',
      createdAt: expect.any(Number),
      updatedAt: made.createdAt,
      answering: undefined,
      lastRole: undefined,
    });
    expect(await openIn(place).get(made.id)).toEqual(made);
    expect(await store.get(NONE)).toBeUndefined();
    expect(await store.get('\0')).toBeUndefined();
  });

  test('are listed by project, newest first', async ({ skip }) => {
    const store = openIn(await newPlace(skip));
    onTestFinished(() => void vi.useRealTimers());
    for (const [now, name] of [
      [3_000, 'third'],
      [1_000, 'first'],
      [2_000, 'second'],
    ] as const) {
      vi.useFakeTimers({ toFake: ['Date'], now });
      await store.create({ projectId: 'p', name });
    }
    await store.create({ projectId: 'q', name: 'other' });
    expect((await store.list('p')).map(({ name }) => name)).toEqual(['third', 'second', 'first']);
    expect(await store.list('none')).toEqual([]);
  });

  test('keep messages in the order in which they were added', async ({ skip }) => {
    const place = await newPlace(skip);
    const stores = [openIn(place), openIn(place)];
    const { id } = await stores[0]!.create({ projectId: 'p', name: 'n' });
    const other = await stores[0]!.create({ projectId: 'p', name: 'other' });
    const added = await Promise.all(
      Array.from({ length: 30 }, (_, index) => stores[index % 2]!.add(id, user(`message ${index}`))),
    );
    await stores[0]!.add(other.id, user('elsewhere'));
    const read = await stores[1]!.messages(id);
    expect(read).toEqual(added.toSorted((a, b) => a!.seq - b!.seq));
    expect(new Set(read.map(({ content }) => content)).size).toBe(30);
    const last = await stores[0]!.add(id, { role: 'assistant', content: 'x\0y\ud800', author: 'm' });
    expect(last).toMatchObject({ role: 'assistant', content: 'x\u{FFFD}y\u{FFFD}', author: 'm' });
    expect((await stores[1]!.messages(id, { limit: 2 })).map(({ seq }) => seq)).toEqual([read.at(-1)!.seq, last!.seq]);
    expect(await stores[1]!.get(id)).toMatchObject({ lastRole: 'assistant', updatedAt: last!.at });
    expect(await stores[0]!.add(NONE, user('x'))).toBeUndefined();
    expect(await stores[0]!.messages(NONE)).toEqual([]);
  });

  test('are bounded in what they keep and read', async ({ skip }) => {
    const store = openIn(await newPlace(skip));
    const { id, name } = await store.create({ projectId: 'p', name: 'n'.repeat(500) });
    expect(name).toHaveLength(CHAT_LIMITS.name);
    const long = await store.add(id, { ...user('x'.repeat(CHAT_LIMITS.message + 9)), author: 'a'.repeat(999) });
    expect(long!.content).toHaveLength(CHAT_LIMITS.message);
    expect(long!.author).toHaveLength(CHAT_LIMITS.author);
    for (const text of ['1'.repeat(10), '2'.repeat(10), '3'.repeat(10)]) await store.add(id, user(text));
    const lengths = async (bounds: object) => (await store.messages(id, bounds)).map(({ content }) => content[0]);
    expect(await lengths({ units: 29 })).toEqual(['2', '3']);
    expect(await lengths({ units: 0 })).toEqual(['3']);
    expect(await lengths({ limit: 0 })).toEqual([]);
    expect(await lengths({ limit: 2.9 })).toEqual(['2', '3']);
    expect(await lengths({ limit: Number.POSITIVE_INFINITY, units: Number.POSITIVE_INFINITY })).toHaveLength(4);
    for (let index = 0; index < 5; index++) await store.add(id, user('y'.repeat(CHAT_LIMITS.message)));
    expect(await store.messages(id)).toHaveLength(4);
  });

  test('are answered by one at a time', async ({ skip }) => {
    const place = await newPlace(skip);
    const [one, two] = [openIn(place), openIn(place)];
    const { id } = await one.create({ projectId: 'p', name: 'n' });
    const taken = await Promise.all([one.take(id, 'a', never), two.take(id, 'b', never)]);
    expect(taken.filter(Boolean)).toHaveLength(1);
    const [holder, waiting] = taken[0] ? ['a', 'b'] : ['b', 'a'];
    const { answering } = (await two.get(id))!;
    expect(answering).toEqual({ by: holder, at: expect.any(Number) });
    const asked: unknown[] = [];
    const isGone = (by: string, at: number) => asked.push([by, at]) === 0;
    expect(await one.take(id, waiting!, isGone)).toBe(false);
    expect(asked).toEqual([[holder, answering!.at]]);
    expect(await one.take(id, holder!, never)).toBe(true);
    await two.release(id, waiting!);
    expect((await two.get(id))!.answering?.by).toBe(holder);
    await two.keep(id, holder!);
    expect((await one.get(id))!.answering!.at).toBeGreaterThanOrEqual(answering!.at);
    expect(await two.take(id, waiting!, always)).toBe(true);
    await one.release(id, holder!);
    await one.keep(id, holder!);
    expect((await one.get(id))!.answering?.by).toBe(waiting);
    await one.release(id, waiting!);
    expect((await one.get(id))!.answering).toBeUndefined();
    expect(await one.take(NONE, 'a', always)).toBe(false);
  });

  test('are counted since a time, by projects', async ({ skip }) => {
    const store = openIn(await newPlace(skip));
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
    const p = await store.create({ projectId: 'p', name: 'n' });
    await store.add(p.id, user('old'));
    const unused = await store.create({ projectId: 'p', name: 'unused' });
    vi.setSystemTime(2_000);
    await store.add(p.id, user('new'));
    const q = await store.create({ projectId: 'q', name: 'n' });
    await store.add(q.id, user('1'));
    await store.add(q.id, user('2'));
    expect(unused.updatedAt).toBe(1_000);
    expect(await store.counts(undefined, 0)).toEqual({ sessions: 3, messages: 4 });
    expect(await store.counts(undefined, 1_500.5)).toEqual({ sessions: 2, messages: 3 });
    expect(await store.counts(['p'], 0)).toEqual({ sessions: 2, messages: 2 });
    expect(await store.counts(['q', 'p'], 2_000)).toEqual({ sessions: 2, messages: 3 });
    expect(await store.counts([], 0)).toEqual({ sessions: 0, messages: 0 });
    expect(await store.counts(undefined, 2_001)).toEqual({ sessions: 0, messages: 0 });
  });
});
