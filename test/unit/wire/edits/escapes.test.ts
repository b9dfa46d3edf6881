import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkEscapes } from '../../../../src/wire/edits/escapes.ts';
import { Frame } from '../../../../src/wire/frame.ts';
import { CHECKED_STRING_BYTES } from '../../../../src/wire/scanning/limits.ts';

test('a text that was scanned and passes is JSON', () => {
  const parts = ['\\"', '\\\\', 'x', 'é', '\\u0041', '\\u', '\\u12', '\\x', 'x'.repeat(100)];
  const strings = fc.array(fc.constantFrom(...parts), { maxLength: 40 }).map((all) => all.join(''));
  fc.assert(
    fc.property(strings, strings, fc.boolean(), (one, other, isLong) => {
      const head = 'x'.repeat(isLong ? CHECKED_STRING_BYTES : 3_000);
      const text = Buffer.from(`{"s":"${head}${one}","list":["${head}${other}"]}`);
      let isScanned = true;
      try {
        Frame.of(text);
      } catch {
        isScanned = false;
      }
      const isJson = (read: () => unknown) => {
        try {
          read();
          return true;
        } catch {
          return false;
        }
      };
      const passes = isScanned && isJson(() => checkEscapes(text, { start: 0, end: text.length }));
      expect(passes).toBe(isJson(() => JSON.parse(text.toString())));
    }),
    { numRuns: 1_000 },
  );
});
