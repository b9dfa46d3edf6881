import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Pin, PinBook, StoredPins } from '../../../../../src/core/stores/pin-store.ts';
import { PinNotes } from '../../../../../src/upstream/lists/pins/pin-notes.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => vi.useRealTimers());

const definition = { hash: 'h', definition: {}, since: '2026-01-01T00:00:00.000Z' };
const approved: Pin = { approved: definition };
const pending: Pin = { ...approved, pending: { ...definition, hash: 'changed', isWithheld: false } };
const many = (change: Record<string, Pin> = {}): PinBook =>
  new Map(Array.from({ length: 300 }, (_, index) => [`t${index}`, change[`t${index}`] ?? approved]));

function open(first: StoredPins) {
  let stored = first;
  const saved: PinBook[] = [];
  const notes = new PinNotes({
    store: {
      load: () => stored,
      save: (_upstream, pins) => {
        stored = pins;
        saved.push(pins);
      },
    },
    upstream: 'up',
    noted: (pins) => (pins.get('t1')?.pending === undefined ? new Map([...pins, ['t1', pending]]) : pins),
  });
  const write = (pins: StoredPins) => {
    stored = pins;
  };
  return { notes, saved, write };
}

test('notes on few pins are stored at once', () => {
  const { notes, saved } = open(new Map([['a', approved]]));
  notes.save(new Map([['a', pending]]));
  expect(saved).toHaveLength(1);
});

test('notes on many pins hold at once and are stored after a quiet second', () => {
  const { notes, saved } = open(many());
  notes.save(many({ t1: pending }));
  vi.advanceTimersByTime(900);
  notes.save(many({ t1: pending, t2: pending }));
  vi.advanceTimersByTime(999);
  expect(saved).toEqual([]);
  expect(notes.load()).toEqual(many({ t1: pending, t2: pending }));
  vi.advanceTimersByTime(1);
  expect(saved).toEqual([many({ t1: pending, t2: pending })]);
  expect(notes.load()).toBe(saved[0]);
});

test('notes on many pins that never rest are stored every ten seconds', () => {
  const { notes, saved } = open(many());
  for (let ms = 0; ms < 20_000; ms += 500) {
    notes.save(many({ t1: pending }));
    vi.advanceTimersByTime(500);
  }
  expect(saved).toHaveLength(2);
});

test('what is not stored yet is stored on request, once', () => {
  const { notes, saved } = open(many());
  notes.save(many({ t1: pending }));
  notes.flush();
  notes.flush();
  vi.advanceTimersByTime(60_000);
  expect(saved).toHaveLength(1);
});

test('what a command approves before notes are stored stays approved', () => {
  const { notes, saved, write } = open(many());
  notes.save(many({ t1: pending }));
  const byHand = many({ t2: { approved: { ...definition, hash: 'by hand' } } });
  write(byHand);
  expect(notes.load()).toBe(byHand);
  vi.advanceTimersByTime(1_000);
  expect(saved).toEqual([new Map([...byHand, ['t1', pending]])]);
});

test.each(['none', 'damaged', 'unreadable'] as const)('late notes do not replace pins that are %s now', (state) => {
  const { notes, saved, write } = open(many());
  notes.save(many({ t1: pending }));
  write(state);
  expect(notes.load()).toBe(state);
  vi.advanceTimersByTime(1_000);
  expect(saved).toEqual([]);
});
