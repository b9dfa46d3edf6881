import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanText, escapeInvisible } from '../../../../src/core/text/clean-text.ts';
import { LINE_ENDS } from '../../../support/lines.ts';

const ESC = '\u001b';
const FLAG = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}';

/** Characters that are never part of a text. */
const FORBIDDEN = /[\p{Cc}\p{Bidi_Control}\u200b\u2060-\u206f\ufeff\ufff9-\ufffb\p{Cs}\u{e0001}-\u{e001f}]/u;
const forbiddenIn = (text: string) => FORBIDDEN.exec(text.replaceAll(/[\n\t]/g, ''));

/** Pieces of which attacks and honest texts are made. */
const pieces = fc.oneof(
  fc.constantFrom(
    'a',
    ' ',
    '\n',
    '\t',
    'é',
    'می',
    '漢',
    '👩',
    '🏽',
    '\ufe0f',
    '\ufe0e',
    '❤',
    '[',
    ']',
    '0;',
    'm',
    '\\',
  ),
  fc.constantFrom(ESC, '\u0007', '\u009b', '\u009d', '\u009c', '\u0090', '\u007f', '\0', '\r', `${ESC}[31m`),
  fc.constantFrom('\u200b', '\u200c', '\u200d', '\u200e', '\u202e', '\u2066', '\u061c', '\ufeff', '\u2060', '\ufff9'),
  fc.constantFrom('\u{e0001}', '\u{e0041}', '\u{e007f}', '\u{1f3f4}', '\u{e0067}', FLAG, '\u{e0100}', '\u{e01ef}'),
  fc.constantFrom('\ud83c', '\udff4', `${ESC}]0;t\u0007`),
);
const texts = fc.array(fc.oneof({ arbitrary: pieces, weight: 9 }, fc.string({ unit: 'binary' })), { maxLength: 12 });
const joined = texts.map((parts) => parts.join(''));

describe('cleaned text', () => {
  test('has no character that people cannot see or terminals obey', () => {
    fc.assert(
      fc.property(joined, (text) => {
        expect(forbiddenIn(cleanText(text))).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  test('stays as it is when it is cleaned again', () => {
    fc.assert(
      fc.property(joined, (text) => {
        const once = cleanText(text);
        expect(cleanText(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });

  test('has lost nothing but such characters', () => {
    const plain = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '👩', ' ', '\n') });
    fc.assert(
      fc.property(plain, plain, fc.constantFrom(`${ESC}[1;31m`, '\u202e', '\u{e0041}', '\u0000'), (a, b, hidden) => {
        expect(cleanText(`${a}${hidden}${b}`)).toBe(`${a}${b}`);
      }),
    );
  });

  test.each([
    ['CSI', `red ${ESC}[31mtext${ESC}[0m`, 'red text'],
    ['CSI as one character', 'red \u009b31mtext', 'red text'],
    ['OSC that ends with BEL', `${ESC}]0;a title\u0007text`, 'text'],
    ['OSC that ends with ST', `${ESC}]8;;https://example.org${ESC}\\link`, 'link'],
    ['OSC in C1 characters', '\u009d52;c;cm0=\u009ctext', 'text'],
    ['DCS', `${ESC}P+q544e${ESC}\\text`, 'text'],
    ['a charset escape', `${ESC}(0text`, 'text'],
    ['OSC without an end: the text stays to be seen', `${ESC}]0;text`, '0;text'],
    ['a sequence inside another', `${ESC}${ESC}[0m[31mtext`, '[31mtext'],
    ['a line overwritten', 'safe\rrm -rf', 'saferm -rf'],
    ['lines as on Windows', 'one\r\ntwo', 'one\ntwo'],
    ['an override', 'a\u202eb\u2066c\u200fd\u061c', 'abcd'],
    ['zero width', 'a\u200bb\u2060c\ufeffd', 'abcd'],
    ['words in tag characters', 'hi\u{e0072}\u{e006d}', 'hi'],
    ['a flag that is none', '\u{1f3f4}\u{e0067}', '\u{1f3f4}'],
    ['a flag with a longer message', `\u{1f3f4}${'\u{e0061}'.repeat(7)}\u{e007f}`, '\u{1f3f4}'],
    ['bytes in selectors behind an emoji', '😀\u{e0148}\u{e0155}', '😀'],
    ['selectors in a row', '😀\ufe0f\ufe01\ufe02', '😀\ufe0f'],
    ['joiners between letters', 'a\u200db\u200cc', 'abc'],
    ['joiners in a row', 'é\u200d\u200d\u200dé', 'éé'],
    ['half a pair', 'a\ud83cb', 'a\ufffdb'],
    ['halves that removal would join', '\ud83d\u200b\ude00', '\ufffd\ufffd'],
    ['interlinear annotation', '\ufff9a\ufffab\ufffb', 'ab'],
  ])('%s', (_name, given, expected) => {
    expect(cleanText(given)).toBe(expected);
  });

  test.each([
    ['a family', '👨‍👩‍👧‍👦'],
    ['a heart on fire', '❤️‍🔥'],
    ['a keycap', '1️⃣'],
    ['the flag of England', FLAG],
    ['Persian with a non-joiner', 'می‌خواهم'],
    ['Hindi with a joiner', 'क्‍ष'],
    ['an ideograph with its variant', '葛\u{e0100}'],
    ['lines and tabs', 'one\n\ttwo'],
    ['a soft hyphen and spaces', 'a\u00ad\u00a0\u3000b'],
  ])('%s stays', (_name, text) => {
    expect(cleanText(text)).toBe(text);
  });
});

test('JSON with invisible characters as escapes is the same value, nothing of it is obeyed, and it is one line', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(joined, fc.constantFrom(...LINE_ENDS))), (parts) => {
      const text = parts.join('');
      const json = escapeInvisible(JSON.stringify(text));
      expect(JSON.parse(json)).toBe(text);
      expect(forbiddenIn(json)).toBeNull();
      expect(LINE_ENDS.filter((end) => json.includes(end))).toEqual([]);
    }),
  );
});
