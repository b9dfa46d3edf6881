import { expect, onTestFinished, test, vi } from 'vitest';
import { type ParkedCall, Parking } from '../../../../src/session/modern/parking.ts';

function parked(id: string, identity = 'me', digest = 'digest'): ParkedCall & { readonly reasons: string[] } {
  const reasons: string[] = [];
  return { id, identity, digest, reasons, onGivenUp: (reason) => reasons.push(reason) };
}

const many = (count: number, identity: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => parked(`${identity(index)}-${index}`, identity(index)));

test('a call is found by its state as long as it is parked', () => {
  const parking = new Parking(60_000);
  const call = parked('a');
  const state = parking.park(call)!;
  expect(parking.isOwn(state)).toBe(true);
  expect(parking.find(state, 'digest')).toBe(call);
  expect(parking.find(state, 'digest')).toBe(call);
  expect(parking.find(state, 'another')).toEqual({ problem: expect.stringContaining('belongs to another') });
  parking.leave(call);
  expect(parking.find(state, 'digest')).toEqual({ problem: expect.stringContaining('used already') });
  expect(call.reasons).toEqual([]);
});

test('the state of an earlier question is void once the call is parked with another', () => {
  const parking = new Parking(60_000);
  const call = parked('a');
  const earlier = parking.park(call)!;
  parking.leave(call);
  const later = parking.park(call)!;
  expect(parking.find(earlier, 'digest')).toEqual({ problem: expect.stringContaining('used already') });
  expect(parking.find(later, 'digest')).toBe(call);
});

test('one client has 16 places; one that leaves makes room', () => {
  const parking = new Parking(60_000);
  const calls = many(16, () => 'me');
  expect(calls.every((call) => parking.park(call) !== undefined)).toBe(true);
  expect(parking.park(parked('more'))).toBeUndefined();
  expect(parking.park(parked('other', 'you'))).toBeDefined();
  parking.leave(calls[0]!);
  expect(parking.park(parked('more'))).toBeDefined();
});

test('all clients together have 512', () => {
  const parking = new Parking(60_000);
  const calls = many(512, (index) => `client ${index % 64}`);
  expect(calls.every((call) => parking.park(call) !== undefined)).toBe(true);
  expect(parking.park(parked('more', 'somebody else'))).toBeUndefined();
  expect(parking.size).toBe(512);
});

test('whoever does not come back in time is given up, and the place is free', async () => {
  const parking = new Parking(20);
  const call = parked('a');
  const state = parking.park(call)!;
  await expect.poll(() => call.reasons).toEqual(['the client did not answer in time']);
  expect(parking.size).toBe(0);
  expect(parking.find(state, 'digest')).toEqual({ problem: expect.stringContaining('expired') });
});

test('a call that has left, or is parked again, is not given up when its first time is over', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const parking = new Parking(60_000);
  const [gone, back] = [parked('gone'), parked('back')];
  parking.park(gone);
  parking.park(back);
  vi.advanceTimersByTime(40_000);
  parking.leave(gone);
  parking.leave(back);
  const state = parking.park(back)!;
  vi.advanceTimersByTime(40_000);
  expect([gone.reasons, back.reasons]).toEqual([[], []]);
  expect(parking.find(state, 'digest')).toBe(back);
  vi.advanceTimersByTime(20_000);
  expect([gone.reasons, back.reasons]).toEqual([[], ['the client did not answer in time']]);
});

test('all are given up at once when nobody can come back', () => {
  const parking = new Parking(60_000);
  const calls = many(3, (index) => `client ${index}`);
  const states = calls.map((call) => parking.park(call)!);
  parking.giveUpAll('over');
  expect(calls.map(({ reasons }) => reasons)).toEqual([['over'], ['over'], ['over']]);
  expect(states.map((state) => parking.find(state, 'digest'))).toEqual(
    states.map(() => ({ problem: expect.stringContaining('its call has ended') })),
  );
  expect(parking.size).toBe(0);
});

test('a state of another gateway is none of its own', () => {
  const foreign = new Parking(60_000).park(parked('a'))!;
  const parking = new Parking(60_000);
  parking.park(parked('a'));
  expect(parking.isOwn(foreign)).toBe(false);
  expect(parking.find(foreign, 'digest')).toEqual({ problem: expect.stringContaining('changed') });
});
