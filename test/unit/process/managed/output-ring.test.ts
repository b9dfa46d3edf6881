import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { OutputRing } from '../../../../src/process/managed/output-ring.ts';
import { WholeCharacters } from '../../../../src/process/managed/whole-characters.ts';

function ringOf(capacity: number, ...texts: string[]): OutputRing {
  const ring = new OutputRing(capacity);
  for (const text of texts) ring.push(Buffer.from(text));
  return ring;
}

const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 60 });

describe('the ring of an output', () => {
  test('gives the newest text, and says where it begins', () => {
    const ring = ringOf(8, 'abcdef', 'ghij');
    expect(ring.read()).toEqual({ text: 'cdefghij', offset: 2, nextOffset: 10 });
    expect(ring.read({ offset: 7, limit: 2 })).toEqual({ text: 'hi', offset: 7, nextOffset: 9 });
    expect(ring.read({ offset: 10 })).toEqual({ text: '', offset: 10, nextOffset: 10 });
    expect(ring.read({ offset: 99 })).toEqual({ text: '', offset: 10, nextOffset: 10 });
  });

  test('keeps the end of a chunk that is larger than itself', () => {
    expect(ringOf(4, 'x', 'abcdefgh').read()).toEqual({ text: 'efgh', offset: 5, nextOffset: 9 });
  });

  test('is not cut inside a character', () => {
    const ring = ringOf(8, 'ä€𝄞ä');
    expect(ring.read()).toEqual({ text: '𝄞ä', offset: 5, nextOffset: 11 });
    expect(ring.read({ limit: 5 })).toEqual({ text: '𝄞', offset: 5, nextOffset: 9 });
    expect(ring.read({ limit: 1 })).toEqual({ text: '𝄞', offset: 5, nextOffset: 9 });
    expect(ring.read({ offset: 6 })).toEqual({ text: 'ä', offset: 9, nextOffset: 11 });
  });

  test('gives bytes that are no text all the same', () => {
    const ring = new OutputRing(8);
    ring.push(Buffer.alloc(20, 0x80));
    expect(ring.read()).toEqual({ text: '\uFFFD'.repeat(8), offset: 12, nextOffset: 20 });
    expect(ring.read({ limit: 1 })).toMatchObject({ offset: 12, nextOffset: 13 });
  });

  test('holds the newest bytes of whatever was written, and following it reads each byte that is kept once', () => {
    fc.assert(
      fc.property(
        texts,
        fc.integer({ min: 8, max: 20_000 }),
        fc.integer({ min: 1, max: 50 }),
        (written, capacity, limit) => {
          const ring = ringOf(capacity, ...written);
          const all = Buffer.from(written.join(''));
          const { text, offset, nextOffset } = ring.read();
          expect(nextOffset).toBe(all.length);
          expect(all.length - offset).toBeLessThanOrEqual(capacity);
          expect(all.length - offset).toBeGreaterThan(Math.min(capacity, all.length + 1) - 4);
          expect(text).toBe(all.subarray(offset).toString());
          let followed = '';
          for (let at = 0; at < all.length; ) {
            const piece = ring.read({ offset: at, limit });
            expect(piece.nextOffset).toBeGreaterThan(at);
            followed += piece.text;
            at = piece.nextOffset;
          }
          expect(followed).toBe(text);
        },
      ),
    );
  });
});

describe('whole characters', () => {
  test('come out however the stream is cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.array(fc.nat(200)), (text, cuts) => {
        const bytes = Buffer.from(text);
        const whole = new WholeCharacters();
        const borders = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        let read = '';
        for (let index = 1; index < borders.length; index++) {
          read += whole.push(bytes.subarray(borders[index - 1]!, borders[index]!)).toString();
        }
        expect(read).toBe(bytes.toString());
        expect(whole.end()).toHaveLength(0);
      }),
    );
  });

  test('do not wait for what cannot become one', () => {
    const whole = new WholeCharacters();
    expect(whole.push(Buffer.from([0xff, 0x80, 0x80]))).toHaveLength(3);
    expect(whole.push(Buffer.from([0x61, 0xe2]))).toHaveLength(1);
    expect(whole.end()).toEqual(Buffer.from([0xe2]));
  });
});
