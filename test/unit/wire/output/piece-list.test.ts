import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PieceList } from '../../../../src/wire/output/piece-list.ts';

function listOf(pieces: readonly Buffer[]): PieceList {
  const list = new PieceList();
  for (const piece of pieces) list.add(piece);
  return list;
}

describe('a list of pieces', () => {
  test('has the bytes that were added, in order, after every use', () => {
    const sizes = fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: 9_000 }), fc.constant(70_000));
    fc.assert(
      fc.property(fc.array(sizes, { maxLength: 12 }), fc.nat({ max: 5_000 }), (lengths, most) => {
        const pieces = lengths.map((length, index) => Buffer.alloc(length, index + 1));
        const whole = Buffer.concat(pieces);
        const list = new PieceList();
        for (const piece of pieces) {
          list.add(piece);
          expect(list.head(most).equals(whole.subarray(0, Math.min(most, list.length)))).toBe(true);
        }
        expect(list.length).toBe(whole.length);
        expect(list.joined().equals(whole)).toBe(true);
        expect(Buffer.concat(list.take()).equals(whole)).toBe(true);
        expect(list.length).toBe(0);
        expect(list.take()).toEqual([]);
      }),
    );
  });

  test.each([1, 7, 4_095])(
    'joins pieces of %i bytes, so that twice the bytes cost no more than twice the memory',
    (size) => {
      const cost = (bytes: number) => {
        const taken = listOf(Array.from({ length: bytes / size }, () => Buffer.alloc(size))).take();
        return { pieces: taken.length, memory: new Set(taken.map(({ buffer }) => buffer)) };
      };
      const { pieces, memory } = cost(1_000_000);
      expect(pieces).toBeLessThan(40);
      expect([...memory].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(2_000_000);
    },
  );

  test('keeps large pieces as they are', () => {
    const pieces = [Buffer.alloc(65_536), Buffer.alloc(5_000)];
    expect(
      listOf(pieces)
        .take()
        .map((piece, index) => piece === pieces[index]),
    ).toEqual([true, true]);
  });

  test('does not keep a chunk for a small part of it', () => {
    const chunk = Buffer.alloc(65_536);
    const [taken] = listOf([chunk.subarray(0, 5_000)]).take();
    expect(taken!.buffer.byteLength).toBeLessThan(10_000);
  });

  test('gives no memory to two texts', () => {
    const list = listOf([Buffer.from('a')]);
    const [first] = list.take();
    list.add(Buffer.from('b'));
    expect(list.take()[0]!.buffer).not.toBe(first!.buffer);
  });
});
