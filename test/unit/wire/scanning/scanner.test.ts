import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonTextError } from '../../../../src/wire/json-error.ts';
import { CHECKED_STRING_BYTES } from '../../../../src/wire/scanning/limits.ts';
import type { Outline } from '../../../../src/wire/scanning/outline.ts';
import { JsonScanner } from '../../../../src/wire/scanning/scanner.ts';
import { cut, cuts, jsonTexts, nearlyJson } from '../arbitraries.ts';

function scan(pieces: readonly Buffer[], scanner = new JsonScanner()): Outline {
  for (const piece of pieces) scanner.push(piece);
  return scanner.finish();
}

/** What was found, or what was wrong; anything but a `JsonTextError` is thrown. */
function verdict(pieces: readonly Buffer[], scanner?: JsonScanner): Outline | string {
  try {
    return scan(pieces, scanner);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return error.message;
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** The value that the spans describe; only scalars are left to `JSON.parse`. */
function rebuilt(bytes: Buffer): unknown {
  const { kind, start, end, members } = scan([bytes]);
  if (kind === 'scalar') return JSON.parse(bytes.toString('utf8', start, end));
  const parts = members.map((member) => ({ ...member, value: rebuilt(bytes.subarray(member.start, member.end)) }));
  if (kind === 'array') return parts.map(({ value }) => value);
  const object = {};
  for (const { key, keyStart, keyEnd, value } of parts) {
    expect(JSON.parse(bytes.toString('utf8', keyStart, keyEnd))).toBe(key);
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  }
  return object;
}

const HOSTILE: readonly (readonly [string, Buffer])[] = [
  ['nothing', Buffer.from('')],
  ['a byte order mark', Buffer.from('\ufeff{}')],
  ['two values', Buffer.from('{}{}')],
  ['NUL in a string', Buffer.from('"\0"')],
  ['NUL after the end', Buffer.from('{}\0')],
  ['a control character in a key', Buffer.from('{"a\x1f":1}')],
  ['DEL in a string', Buffer.from('"\x7f"')],
  ['a raw newline in a string', Buffer.from('"a\nb"')],
  ['U+2028 in a string', Buffer.from('"\u2028"')],
  ['a lone surrogate, escaped', Buffer.from('{"\\ud800":"\\udfff"}')],
  ['a lone surrogate in raw bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ['invalid UTF-8 in a string', Buffer.from([0x22, 0xff, 0xc3, 0x22])],
  ['invalid UTF-8 in a key', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['invalid UTF-8 outside of strings', Buffer.from([0x5b, 0xff, 0x5d])],
  ['a truncated sequence before the closing quote', Buffer.from([0x22, 0xf0, 0x9f, 0x98, 0x22])],
  ['4,000 digits', Buffer.from('7'.repeat(4_000))],
  ['a number that overflows', Buffer.from('[1e400]')],
  ['a leading zero', Buffer.from('01')],
  ['a number with a bare point', Buffer.from('[1.]')],
  ['a number with a bare exponent', Buffer.from('1e')],
  ['a lone minus', Buffer.from('-')],
  ['a plus', Buffer.from('+1')],
  ['an unfinished escape', Buffer.from('"\\')],
  ['an unfinished \\u escape', Buffer.from('"\\u12"')],
  ['an escape in capitals', Buffer.from('"\\N"')],
  ['a trailing comma in an array', Buffer.from('[1,]')],
  ['a trailing comma in an object', Buffer.from('{"a":1,}')],
  ['a leading comma', Buffer.from('[,1]')],
  ['a missing colon', Buffer.from('{"a" 1}')],
  ['a key without quotes', Buffer.from('{a:1}')],
  ['crossed brackets', Buffer.from('{"a":[}]')],
  ['an open bracket', Buffer.from('[[]')],
  ['a closed bracket', Buffer.from(']')],
  ['a literal in capitals', Buffer.from('True')],
  ['a literal cut short', Buffer.from('nul')],
  ['a literal that goes on', Buffer.from('nulll')],
  ['NaN', Buffer.from('NaN')],
  ['a form feed', Buffer.from('\f1')],
  ['a no-break space', Buffer.from('\u00a01')],
  ['white space only', Buffer.from(' \t\r\n')],
  ['__proto__ twice', Buffer.from('{"__proto__":1,"__proto__":{"a":1}}')],
];

describe('what is accepted', () => {
  test.each(HOSTILE)('%s is JSON here if it is to JSON.parse, however it is cut', (_name, bytes) => {
    const found = verdict([bytes]);
    expect(typeof found === 'object').toBe(isJson(bytes));
    expect(verdict(cut(bytes, 'everywhere'))).toEqual(found);
  });

  test('what JSON.parse accepts, and nothing else', () => {
    fc.assert(
      fc.property(nearlyJson, (bytes) => {
        expect(typeof verdict([bytes]) === 'object').toBe(isJson(bytes));
      }),
      { numRuns: 1_500 },
    );
  });

  test('a fault is reported at the first byte that cannot be there, or at the end', () => {
    fc.assert(
      fc.property(nearlyJson, (bytes) => {
        try {
          scan([bytes]);
        } catch (error) {
          const { offset } = error as JsonTextError;
          const push = (end: number) => () => new JsonScanner().push(bytes.subarray(0, end));
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(bytes.length);
          expect(push(offset)).not.toThrow();
          if (offset < bytes.length) expect(push(offset + 1)).toThrow(JsonTextError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('what is found', () => {
  test('whether a line break stands between the tokens of the value', () => {
    fc.assert(
      fc.property(jsonTexts, cuts, fc.constantFrom('', ' ', '\n', '\r\n'), (json, places, around) => {
        const text = Buffer.from(`${around}${json}${around}`);
        const { start, end, hasLineBreaks } = scan(cut(text, places));
        expect(hasLineBreaks).toBe(/[\r\n]/.test(text.toString('latin1', start, end)));
      }),
      { numRuns: 500 },
    );
  });

  test('the same, or the same fault, however the text is cut', () => {
    fc.assert(
      fc.property(nearlyJson, cuts, (bytes, places) => {
        expect(verdict(cut(bytes, places))).toEqual(verdict([bytes]));
      }),
      { numRuns: 800 },
    );
  });

  test('the same after another text, whole or broken off, went through the scanner', () => {
    fc.assert(
      fc.property(nearlyJson, nearlyJson, (before, bytes) => {
        const scanner = new JsonScanner();
        verdict([before], scanner);
        scanner.reset();
        expect(verdict([bytes], scanner)).toEqual(verdict([bytes]));
      }),
      { numRuns: 500 },
    );
  });

  test('spans that give the value again, part by part; of members with one key the last counts', () => {
    fc.assert(
      fc.property(jsonTexts, (text) => {
        const bytes = Buffer.from(text);
        expect(isDeepStrictEqual(rebuilt(bytes), JSON.parse(text))).toBe(true);
        const { start, end } = scan([bytes]);
        expect(bytes.toString('utf8', start, end)).toBe(text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ''));
      }),
      { numRuns: 1_500 },
    );
  });

  test('a key that is cut in the middle of an escape and of a character', () => {
    const bytes = Buffer.from('{"x":0,"\\u00e9é😀\\"":1}');
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second++) {
        const { members } = scan(cut(bytes, [first, second]));
        expect(members.map(({ key }) => key)).toEqual(['x', 'éé😀"']);
      }
    }
  });
});

describe('depth', () => {
  test.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('%s may be as deep as the limit, and no deeper', (_name, open, close) => {
    const nested = (levels: number) => Buffer.from(`${open.repeat(levels - 1)}[]${close.repeat(levels - 1)}`);
    expect(typeof verdict([nested(256)])).toBe('object');
    expect(verdict([nested(257)])).toBe(`nested deeper than 256 levels at byte ${256 * open.length}`);
    expect(typeof verdict([nested(3)], new JsonScanner(3))).toBe('object');
    expect(verdict([nested(4)], new JsonScanner(3))).toBe(`nested deeper than 3 levels at byte ${3 * open.length}`);
  });

  test('levels that were closed again do not count', () => {
    const bytes = Buffer.from(`[${Array.from({ length: 1_000 }, () => '[[{}]]').join(',')}]`);
    expect((verdict([bytes], new JsonScanner(4)) as Outline).members).toHaveLength(1_000);
  });

  test('a hundred thousand levels are a fault like any other', () => {
    expect(verdict([Buffer.from('['.repeat(100_000))])).toBe('nested deeper than 256 levels at byte 256');
  });
});

/** A string value of which everything in `ending` is beyond what is checked. */
const long = (ending: string): Buffer => Buffer.from(`{"s":"${'x'.repeat(CHECKED_STRING_BYTES)}${ending}","t":1}`);
const endings = (parts: readonly string[]) =>
  fc.array(fc.constantFrom(...parts), { maxLength: 24 }).map((all) => all.join(''));

describe('strings beyond what is checked of them', () => {
  test.each([-3, -2, -1, 0, 1, 2])('end at their own quote, cut anywhere, with escapes from the border %i', (more) => {
    for (const ending of ['', '\\"', '\\\\', '\\\\\\"', '\\\\\\\\', '\\"\\"\\\\', 'é\\"\\u005c\\u0022']) {
      const filling = 'x'.repeat(CHECKED_STRING_BYTES + more);
      const bytes = Buffer.from(`["${filling}${ending}","\\\\",{"a":"]"}]`);
      const whole = scan([bytes]);
      const ends = whole.members.map(({ start, end }) => JSON.parse(bytes.toString('utf8', start, end)));
      expect(ends).toEqual([JSON.parse(`"${filling}${ending}"`), '\\', { a: ']' }]);
      for (let place = CHECKED_STRING_BYTES - 4; place <= bytes.length; place++) {
        expect(scan(cut(bytes, [place, place + 1]))).toEqual(whole);
      }
    }
  });

  test('end where JSON.parse sees their end, in any number of pieces', () => {
    const near = fc.array(fc.nat({ max: 80 }), { maxLength: 6 });
    fc.assert(
      fc.property(endings(['\\"', '\\\\', 'x', '\\n', '\\u0022', 'é']), near, (ending, places) => {
        const bytes = long(ending);
        const { members } = scan(
          cut(
            bytes,
            places.map((place) => CHECKED_STRING_BYTES + (place % (bytes.length - CHECKED_STRING_BYTES))),
          ),
        );
        expect(members.map(({ key }) => key)).toEqual(['s', 't']);
        const { start, end } = members[0]!;
        expect(JSON.parse(bytes.toString('utf8', start, end))).toBe(JSON.parse(bytes.toString('utf8')).s);
      }),
      { numRuns: 300 },
    );
  });

  test('may have bad escapes there, wherever the pieces end', () => {
    const near = fc.array(fc.nat({ max: 80 }), { maxLength: 6 });
    fc.assert(
      fc.property(endings(['\\"', '\\\\', 'x', '\\x', '\\u12', '\\u']), near, (ending, places) => {
        const bytes = long(ending);
        const pieces = cut(
          bytes,
          places.map((place) => CHECKED_STRING_BYTES + (place % (bytes.length - CHECKED_STRING_BYTES))),
        );
        expect(verdict(pieces)).toEqual(verdict([bytes]));
      }),
      { numRuns: 500 },
    );
  });

  test('may have no control character there, wherever it stands and the pieces end', () => {
    const near = fc.array(fc.nat({ max: 600 }), { maxLength: 6 });
    const parts = ['\\"', '\\\\', 'x', 'é', '\x7f', '\\', 'x'.repeat(120), '\0', '\n', '\r', '\t', '\x1f'];
    fc.assert(
      fc.property(endings(parts), near, (ending, places) => {
        const bytes = long(ending);
        const pieces = cut(
          bytes,
          places.map((place) => CHECKED_STRING_BYTES + (place % (bytes.length - CHECKED_STRING_BYTES))),
        );
        const found = verdict([bytes]);
        if (isJson(bytes)) expect(typeof found).toBe('object');
        if (typeof found === 'object') expect(bytes.some((byte) => byte < 0x20)).toBe(false);
        expect(verdict(pieces)).toEqual(found);
      }),
      { numRuns: 1_000 },
    );
  });

  test('are judged up to there', () => {
    const filling = 'x'.repeat(CHECKED_STRING_BYTES - 1);
    expect(verdict([Buffer.from(`"${filling}\x01"`)])).toBe('control character in a string at byte 4096');
    expect(verdict([Buffer.from(`"${filling}\\x"`)])).toBe('bad escape in a string at byte 4097');
    expect(verdict([Buffer.from(`"${filling}x\x01"`)])).toBe('control character in a string at byte 4097');
    expect(typeof verdict([Buffer.from(`"${filling}x\\x"`)])).toBe('object');
  });

  test('keys are judged to their ends, at every level: they are read as strings later', () => {
    const filling = 'x'.repeat(2 * CHECKED_STRING_BYTES);
    for (const bad of ['\\x', '\\u12', '\x01']) {
      for (const text of [`{"${filling}${bad}":1}`, `[{"${filling}é${bad}":1}]`]) {
        expect(verdict([Buffer.from(text)])).toMatch(/^(bad .*escape|control character)/);
      }
    }
    const good = Buffer.from(`{"${filling}\\n":1}`);
    expect(scan(cut(good, [filling.length, filling.length + 3])).members[0]!.key).toBe(`${filling}\n`);
  });
});
