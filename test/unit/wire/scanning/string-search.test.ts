import fc from 'fast-check';
import { expect, test } from 'vitest';
import { controlCharacterIn } from '../../../../src/wire/scanning/string-search.ts';

test('the first byte below 0x20 in a range is found, wherever the bytes lie in memory', () => {
  const ordinary = fc.constantFrom(0x20, 0x22, 0x5c, 0x7f, 0x80, 0xa0, 0xff);
  const bytes = fc.array(fc.oneof({ weight: 60, arbitrary: ordinary }, { weight: 1, arbitrary: fc.nat({ max: 31 }) }), {
    maxLength: 300,
    size: 'max',
  });
  fc.assert(
    fc.property(bytes, fc.nat({ max: 7 }), fc.nat(), fc.nat(), (all, offset, a, b) => {
      // Control characters in front of and behind the range, and of the whole, are none of its business.
      const memory = Buffer.alloc(all.length + offset + 8);
      const piece = memory.subarray(offset, offset + all.length);
      piece.set(all);
      const [from, to] = [a, b].map((at) => at % (all.length + 1)).sort((one, other) => one - other) as [
        number,
        number,
      ];
      const found = all.findIndex((byte, index) => index >= from && index < to && byte < 0x20);
      expect(controlCharacterIn(piece, from, to)).toBe(found);
    }),
    { numRuns: 2_000 },
  );
});
