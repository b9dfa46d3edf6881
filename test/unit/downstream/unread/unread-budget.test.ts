import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  HOLD_MS,
  LOOK_MS,
  OWNER_BYTES,
  type Reader,
  SHORT_STALL_MS,
  STALL_MS,
  TOTAL_BYTES,
  UnreadBudget,
} from '../../../../src/downstream/unread/unread-budget.ts';
import { createLog } from '../../../../src/telemetry/log.ts';

const MIB = 1024 * 1024;

beforeEach(() => vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

class FakeReader implements Reader {
  readonly owner: string;
  queuedBytes = 0;
  takenBytes = 0;
  isCut = false;
  readonly #budget: UnreadBudget;

  constructor(owner: string, budget: UnreadBudget) {
    this.owner = owner;
    this.#budget = budget;
  }

  write(bytes: number): this {
    this.queuedBytes += bytes;
    this.#budget.onWritten(this);
    return this;
  }

  take(bytes: number): void {
    this.queuedBytes -= bytes;
    this.takenBytes += bytes;
    this.#budget.onTaken(this);
  }

  cut(): void {
    this.isCut = true;
    this.queuedBytes = 0;
    this.#budget.onTaken(this);
  }
}

function open() {
  const budget = new UnreadBudget(createLog({ level: 'silent' }));
  return { budget, reader: (owner: string) => new FakeReader(owner, budget) };
}

/** Whether a promise has resolved by now. */
async function isOver(promise: Promise<void> | undefined): Promise<boolean> {
  const open = Symbol('open');
  return (await Promise.race([promise, Promise.resolve(open)])) !== open;
}

describe('a reader that takes something', () => {
  test('keeps its connection however much is under way', () => {
    const { reader } = open();
    const busy = reader('a').write(300 * MIB);
    for (let step = 0; step < 100; step++) {
      vi.advanceTimersByTime(LOOK_MS);
      busy.take(MIB);
    }
    expect(busy.isCut).toBe(false);
  });

  test('holds up large answers to itself, and to nobody else, above its share', async () => {
    const { budget, reader } = open();
    const busy = reader('a').write(OWNER_BYTES + 1);
    const room = budget.whenRoom('a');
    expect(budget.whenRoom('b')).toBeUndefined();
    expect(await isOver(room)).toBe(false);
    busy.take(1);
    expect(await isOver(room)).toBe(true);
    expect(budget.whenRoom('a')).toBeUndefined();
  });

  test('that is slow holds up its answers only for a while, unless the total is used up', async () => {
    const { budget, reader } = open();
    const slow = reader('a').write(OWNER_BYTES + 10 * MIB);
    const room = budget.whenRoom('a');
    for (let waited = 0; waited < HOLD_MS; waited += LOOK_MS) {
      expect(await isOver(room)).toBe(false);
      slow.take(1);
      vi.advanceTimersByTime(LOOK_MS);
    }
    expect(await isOver(room)).toBe(true);
    slow.write(TOTAL_BYTES);
    const later = budget.whenRoom('a');
    for (let waited = 0; waited < 3 * HOLD_MS; waited += LOOK_MS) {
      slow.take(1);
      vi.advanceTimersByTime(LOOK_MS);
    }
    expect(await isOver(later)).toBe(false);
    slow.take(slow.queuedBytes);
    expect(await isOver(later)).toBe(true);
  });
});

describe('a reader that takes nothing', () => {
  test('is disconnected after a while, whatever room there is', () => {
    const { reader } = open();
    const dead = reader('a').write(MIB);
    vi.advanceTimersByTime(STALL_MS - LOOK_MS);
    expect(dead.isCut).toBe(false);
    vi.advanceTimersByTime(LOOK_MS);
    expect(dead.isCut).toBe(true);
  });

  test('is not blamed for the time in which this process stood still', () => {
    const { reader } = open();
    const busy = reader('a').write(MIB);
    vi.advanceTimersByTime(LOOK_MS);
    // The clock goes on while no timer runs.
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now + 10 * STALL_MS);
    vi.advanceTimersByTime(LOOK_MS);
    expect(busy.isCut).toBe(false);
    vi.restoreAllMocks();
  });

  test('loses its connections, oldest first, when the total is used up; who reads keeps them', () => {
    const { reader } = open();
    const hog = Array.from({ length: 10 }, () => {
      const one = reader('hog').write(12 * MIB);
      vi.advanceTimersByTime(100);
      return one;
    });
    vi.advanceTimersByTime(SHORT_STALL_MS);
    const honest = Array.from({ length: 20 }, () => reader('honest').write(20 * MIB));
    for (const one of honest) one.take(20 * MIB);
    expect(honest.map(({ isCut }) => isCut)).not.toContain(true);
    const cut = hog.filter(({ isCut }) => isCut).length;
    expect(cut).toBeGreaterThan(0);
    expect(hog.map(({ isCut }) => isCut)).toEqual(hog.map((_, index) => index < cut));
  });

  test('with more than its share is disconnected before one with less that has taken nothing for longer', () => {
    const { reader } = open();
    const small = reader('small').write(MIB);
    vi.advanceTimersByTime(1_000);
    const greedy = reader('greedy').write(OWNER_BYTES + 1);
    vi.advanceTimersByTime(SHORT_STALL_MS);
    reader('late').write(TOTAL_BYTES - 2 * MIB);
    expect([small.isCut, greedy.isCut]).toEqual([false, true]);
  });

  test('does not keep an upstream waiting: soon the first time, at once the next', async () => {
    const { budget, reader } = open();
    const first = reader('hog').write(OWNER_BYTES + 1);
    const room = budget.whenRoom('hog');
    vi.advanceTimersByTime(SHORT_STALL_MS);
    expect(first.isCut).toBe(true);
    expect(await isOver(room)).toBe(true);
    const second = reader('hog').write(OWNER_BYTES + 1);
    const again = budget.whenRoom('hog');
    vi.advanceTimersByTime(LOOK_MS);
    expect(second.isCut).toBe(true);
    expect(await isOver(again)).toBe(true);
  });
});

test('nothing is looked at when nothing is unread', () => {
  const { reader } = open();
  const one = reader('a').write(MIB);
  expect(vi.getTimerCount()).toBe(1);
  one.take(MIB);
  vi.advanceTimersByTime(LOOK_MS);
  expect(vi.getTimerCount()).toBe(0);
});
