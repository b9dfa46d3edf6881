import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenBuckets } from '../../../../src/core/timing/token-bucket.ts';

test('in no time more is taken than was there and has come back', () => {
  const steps = fc.array(fc.record({ waitMs: fc.nat(20_000), takes: fc.nat(8) }), { maxLength: 60 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 600 }),
      steps,
      (capacity, perMinute, all) => {
        let now = 0;
        let taken = 0;
        const buckets = new TokenBuckets(
          () => ({ capacity, perMinute }),
          () => now,
        );
        for (const { waitMs, takes } of all) {
          now += waitMs;
          for (let take = 0; take < takes; take++) if (buckets.take('a') === 0) taken++;
          expect(taken).toBeLessThanOrEqual(capacity + (now * perMinute) / 60_000 + 1e-6);
        }
      },
    ),
  );
});

test('whoever waits as long as it was told gets one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5_000 }), (capacity, perMinute) => {
      let now = 0;
      const buckets = new TokenBuckets(
        () => ({ capacity, perMinute }),
        () => now,
      );
      for (let take = 0; take < capacity; take++) expect(buckets.take('a')).toBe(0);
      now += buckets.take('a');
      expect(buckets.take('a')).toBe(0);
      expect(buckets.take('b')).toBe(0);
    }),
  );
});

test('does not grow without end', () => {
  const buckets = new TokenBuckets(
    () => ({ capacity: 1, perMinute: 1 }),
    () => 0,
  );
  for (let key = 0; key < 10_000; key++) buckets.take(String(key));
  expect(buckets.waitMs('0')).toBe(0);
  expect(buckets.waitMs('9999')).toBeGreaterThan(0);
});
