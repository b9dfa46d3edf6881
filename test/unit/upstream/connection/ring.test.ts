import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextRing } from '../../../../src/upstream/connection/ring.ts';

describe('a ring', () => {
  test('keeps the newest lines that fit, counts the others, and never loses the newest', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 8 }), { maxLength: 30 }),
        fc.integer({ min: 8, max: 30 }),
        (lines, room) => {
          const ring = new TextRing(room);
          for (const line of lines) ring.push(line);
          const kept = ring.last(1_000);
          const fitting: string[] = [];
          for (const line of lines.toReversed()) {
            if (fitting.join('').length + line.length > room) break;
            fitting.unshift(line);
          }
          expect(kept).toEqual(fitting);
          expect(ring.dropped).toBe(lines.length - kept.length);
          expect(ring.last(2)).toEqual(lines.slice(-2).slice(-kept.length));
        },
      ),
      { numRuns: 200 },
    );
  });

  test('cuts a line that is larger than all its room', () => {
    const ring = new TextRing(5);
    for (const line of ['a', 'b', 'x'.repeat(1_000_000)]) ring.push(line);
    expect(ring.last(10)).toEqual(['xxxx…']);
    expect(ring.dropped).toBe(2);
    ring.push('12345');
    expect(ring.last(10)).toEqual(['12345']);
  });
});
