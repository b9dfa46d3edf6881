import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Outbox } from '../../../../src/workflows/live/outbox.ts';

const ROOM = 1024 * 1024;
const SLOW_MS = 2_000;
const chunk = (mark = 0) => Buffer.alloc(100_000, mark);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** An outbox towards a socket that takes when it is told to. */
function setup() {
  const sent: Buffer[] = [];
  const taken: (() => void)[] = [];
  const slow: number[] = [];
  const send = (bytes: Buffer, _options: unknown, onTaken: () => void) => {
    sent.push(bytes);
    taken.push(onTaken);
  };
  const outbox = new Outbox({
    socket: { send } as never,
    room: () => ROOM,
    slowMs: SLOW_MS,
    onSlow: (waiting) => {
      slow.push(waiting);
      outbox.close();
    },
  });
  /** The socket takes so many messages, as far as it has them. */
  const take = (count: number) => {
    for (let left = count; left > 0; left--) taken.shift()?.();
  };
  const fill = () => {
    while (outbox.whenRoom() === undefined) outbox.push(chunk());
  };
  return { outbox, sent, slow, take, fill };
}

test('no more than some is given to the socket at one time', () => {
  const { outbox, sent, take } = setup();
  for (let mark = 0; mark < 9; mark++) outbox.push(chunk(mark));
  expect(sent).toHaveLength(3);
  take(2);
  expect(sent).toHaveLength(5);
});

test('it is full beyond its room, and has room again when a quarter of it was taken', async () => {
  const { outbox, take, fill } = setup();
  fill();
  const room = outbox.whenRoom()!;
  let isThere = false;
  void room.then(() => {
    isThere = true;
  });
  take(2);
  await Promise.resolve();
  expect(isThere).toBe(false);
  expect(outbox.whenRoom()).toBe(room);
  take(2);
  await room;
  expect(outbox.whenRoom()).toBe(undefined);
});

test('a socket that takes too little in time is slow', () => {
  const { slow, take, fill } = setup();
  fill();
  vi.advanceTimersByTime(SLOW_MS / 2);
  take(2);
  vi.advanceTimersByTime(SLOW_MS / 2 - 1);
  expect(slow).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(slow).toHaveLength(1);
});

test('a socket that takes enough, just in time, never is', () => {
  const { slow, take, fill } = setup();
  for (let round = 0; round < 10; round++) {
    fill();
    vi.advanceTimersByTime(SLOW_MS - 1);
    take(4);
  }
  vi.advanceTimersByTime(SLOW_MS * 2);
  expect(slow).toEqual([]);
});

test('once it is closed nothing is sent, nothing is slow, and nobody waits', async () => {
  const { outbox, sent, slow, take, fill } = setup();
  fill();
  const room = outbox.whenRoom();
  const before = sent.length;
  outbox.close();
  outbox.close();
  await room;
  outbox.push(chunk());
  take(5);
  vi.advanceTimersByTime(SLOW_MS * 2);
  expect(sent).toHaveLength(before);
  expect(slow).toEqual([]);
  expect(outbox.whenRoom()).toBe(undefined);
});

test('in whatever order things happen, all is sent once and in order', () => {
  const step = fc.oneof(
    fc.record({ push: fc.integer({ min: 1, max: 300_000 }) }),
    fc.record({ take: fc.integer({ min: 1, max: 5 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const { outbox, sent, take } = setup();
      const pushed: Buffer[] = [];
      for (const action of steps) {
        if ('take' in action) take(action.take);
        else {
          const bytes = Buffer.alloc(action.push);
          pushed.push(bytes);
          outbox.push(bytes);
        }
      }
      take(1_000);
      expect(sent.length).toBe(pushed.length);
      expect(sent.every((bytes, index) => bytes === pushed[index])).toBe(true);
      expect(outbox.whenRoom()).toBe(undefined);
      outbox.close();
    }),
    { numRuns: 50 },
  );
});
