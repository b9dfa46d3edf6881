import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../../../../src/telemetry/log.ts';
import { PeerFaults } from '../../../../src/upstream/connection/peer-faults.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function open() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({
    level: 'warn',
    destination: { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  return { faults: new PeerFaults(log, (text) => text.replace('hidden', '***')), lines };
}

test('faults are counted, and the first three lines of noise are kept', () => {
  const { faults } = open();
  for (const sample of ['a', 'hidden', 'c', 'd']) faults.noise('not JSON', sample);
  faults.oversized(100);
  faults.unknownId();
  faults.unknownId();
  faults.unknownToken();
  expect(faults.counts()).toEqual({
    noise: 4,
    noiseSamples: ['a', '***', 'c'],
    oversized: 1,
    unknownIds: 2,
    unknownTokens: 1,
    leftOut: 0,
    unread: 0,
  });
});

test('a flood is logged once a second, with how much was left out', () => {
  const { faults, lines } = open();
  for (let count = 0; count < 1_000; count++) faults.noise('not JSON', 'x');
  expect(lines).toMatchObject([{ event: 'noise', reason: 'not JSON', sample: 'x' }]);
  expect(lines[0]).not.toHaveProperty('moreSinceLastLine');
  vi.advanceTimersByTime(999);
  faults.oversized(5);
  expect(lines).toHaveLength(1);
  vi.advanceTimersByTime(1);
  faults.oversized(6);
  expect(lines[1]).toMatchObject({ event: 'oversized', bytes: 6, moreSinceLastLine: 1_000 });
  vi.advanceTimersByTime(1_000);
  faults.noise('not JSON', 'y');
  expect(lines[2]).not.toHaveProperty('moreSinceLastLine');
});
