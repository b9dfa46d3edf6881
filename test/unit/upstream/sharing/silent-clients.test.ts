import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SilentClients } from '../../../../src/upstream/sharing/silent-clients.ts';

const MINUTES = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const gone: string[] = [];
  const busy = new Set<string>();
  const clients = new SilentClients({ isBusy: (id) => busy.has(id), onGone: (id) => void gone.push(id) });
  return { clients, gone, busy, call: (clientId: string) => clients.onCall({ clientId, era: 'modern' }) };
}

test('a modern client has gone ten minutes after its last call', () => {
  const { gone, call } = open();
  call('a');
  vi.advanceTimersByTime(9 * MINUTES);
  call('a');
  call('b');
  vi.advanceTimersByTime(9 * MINUTES);
  expect(gone).toEqual([]);
  vi.advanceTimersByTime(MINUTES);
  expect(gone).toEqual(['a', 'b']);
});

test('one that is busy has ten minutes more', () => {
  const { gone, busy, call } = open();
  busy.add('a');
  call('a');
  vi.advanceTimersByTime(10 * MINUTES);
  busy.delete('a');
  vi.advanceTimersByTime(9 * MINUTES);
  expect(gone).toEqual([]);
  vi.advanceTimersByTime(MINUTES);
  expect(gone).toEqual(['a']);
});

test('legacy clients, and those that are forgotten, are not told of', () => {
  const { clients, gone, call } = open();
  clients.onCall({ clientId: 'legacy', era: 'legacy' });
  call('removed');
  clients.remove('removed');
  call('cleared');
  clients.clear();
  expect(vi.getTimerCount()).toBe(0);
  call('removed');
  vi.advanceTimersByTime(10 * MINUTES);
  expect(gone).toEqual(['removed']);
});
