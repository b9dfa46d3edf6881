import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shownArguments } from '../../../src/audit/shown-arguments.ts';
import { cutBytes, cutText } from '../../../src/core/text/clean-text.ts';
import { LineSplitter } from '../../../src/core/text/line-splitter.ts';
import { createLog } from '../../../src/telemetry/log.ts';
import { Masker } from '../../../src/telemetry/masker.ts';
import { TextRing } from '../../../src/upstream/connection/ring.ts';
import { StderrTail } from '../../../src/upstream/connection/stderr-tail.ts';
import { jsonBytes } from '../../../src/wire/bytes.ts';
import { readCallText } from '../../../src/wire/edits/call-text.ts';
import { madeRequest } from '../../../src/wire/message.ts';

/** As much of a secret as may be left before a cut: so little says nothing, and is in many ordinary words. */
const HARMLESS = 2;

/**
 * Secrets and the text around them have no letter in common, so that what is left of a secret cannot come from elsewhere.
 * They have no digits: the log has times.
 */
const secrets = fc.oneof(
  fc.string({ unit: fc.constantFrom(...Array.from('ABCDEFGHJKLM"\\/+%&éß😀')), minLength: 6, maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'ABCDEFGH'.split('')), minLength: 6, maxLength: 6_000 }),
);
const filler = fc.string({ unit: fc.constantFrom('x', 'y', ' ', ',', ':', '…', 'ö'), maxLength: 60 });

/** A text with a secret in it several times, and where one of them begins. */
const texts = secrets.chain((secret) =>
  fc.tuple(filler, fc.array(filler, { maxLength: 3 })).map(([first, others]) => ({
    secret,
    text: first + others.map((other) => secret + other).join('') + secret + first,
    at: first.length,
  })),
);

function maskerFor(...known: string[]): Masker {
  const masker = new Masker();
  for (const secret of known) masker.add(secret);
  return masker;
}

/** What is left of a secret in a text, in any of the forms that a log may give it. */
function leftOf(secret: string, text: string): string | undefined {
  const begin = secret.slice(0, HARMLESS + 1).toWellFormed();
  const forms = [begin, JSON.stringify(begin).slice(1, -1)];
  return forms.find((form) => text.includes(form));
}

describe('a secret that a cut goes through does not survive', () => {
  test('in any text that is cut anywhere', () => {
    fc.assert(
      fc.property(texts, fc.nat(), ({ secret, text, at }, offset) => {
        const max = at + 1 + (offset % (text.length - at));
        expect(leftOf(secret, maskerFor(secret).mask(cutText(text, max)))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('in bytes that are cut anywhere, in the middle of a character too', () => {
    fc.assert(
      fc.property(texts, fc.nat(), ({ secret, text }, offset) => {
        const bytes = Buffer.from(text);
        const shown = cutBytes(bytes, 1 + (offset % bytes.length));
        expect(leftOf(secret.toWellFormed(), maskerFor(secret).mask(shown))).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  test('in JSON that is cut anywhere, and in JSON of that', () => {
    fc.assert(
      fc.property(texts, fc.nat(), ({ secret, text }, offset) => {
        const json = JSON.stringify({ text });
        const shown = JSON.stringify({ line: cutText(json, 10 + (offset % json.length)) });
        expect(leftOf(secret, maskerFor(secret).mask(shown))).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  test('in a field of the log', () => {
    fc.assert(
      fc.property(secrets, fc.nat({ max: 50 }), (secret, before) => {
        const lines: string[] = [];
        const log = createLog({
          level: 'info',
          destination: { write: (line) => lines.push(line) },
          masker: maskerFor(secret),
        });
        log.warn({ line: 'x'.repeat(4_096 - before) + secret + 'y'.repeat(100) }, 'odd');
        expect(leftOf(secret, lines.join(''))).toBeUndefined();
        expect(lines).toHaveLength(1);
      }),
      { numRuns: 200 },
    );
  });

  test('in standard error of an upstream, in the log and in its status', () => {
    fc.assert(
      fc.property(secrets, fc.nat({ max: 50 }), fc.integer({ min: 1, max: 5_000 }), (secret, before, size) => {
        const masker = maskerFor(secret);
        const lines: string[] = [];
        const log = createLog({ level: 'debug', destination: { write: (line) => lines.push(line) }, masker });
        const tail = new StderrTail(log, (text) => masker.mask(text));
        const splitter = new LineSplitter((line) => tail.push(line));
        const bytes = Buffer.from(`${'x'.repeat(4_096 - before)}${secret}${'y'.repeat(5_000)}${secret}\nend\n`);
        for (let at = 0; at < bytes.length; at += size) splitter.push(bytes.subarray(at, at + size));
        expect(leftOf(secret.toWellFormed(), lines.join(''))).toBeUndefined();
        expect(leftOf(secret.toWellFormed(), tail.last().join('\n'))).toBeUndefined();
        expect(tail.last().at(-1)).toBe('end');
      }),
      { numRuns: 100 },
    );
  });

  test('in a line that is larger than what is kept', () => {
    const ring = new TextRing(10);
    ring.push('xxxxABCDEFGH');
    expect(maskerFor('ABCDEFGH').mask(ring.last(1)[0]!)).toBe('xxxx[secret]…');
  });

  test('in redacted arguments of a call in the audit', () => {
    fc.assert(
      fc.property(
        secrets.filter(({ length }) => length < 500),
        fc.nat({ max: 2_100 }),
        (secret, before) => {
          const values = Array.from({ length: Math.ceil(before / 400) }, (_, index) =>
            'x'.repeat(Math.min(400, before - index * 400)),
          );
          const request = madeRequest('tools/call', jsonBytes({ name: 't', arguments: { values, secret } }));
          const call = readCallText(request);
          if ('problem' in call) throw new Error(call.problem);
          const masker = maskerFor(secret);
          const shown = shownArguments(call, 'redacted', (text) => masker.mask(text));
          expect(leftOf(secret, shown!.replaceAll('"secret"', ''))).toBeUndefined();
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a cut', () => {
  test('leaves a text alone that is short enough', () => {
    expect(cutText('abc', 3)).toBe('abc');
    expect(cutBytes(Buffer.from('abé'), 4)).toBe('abé');
  });

  test('says that there was more, and has no more characters than it may', () => {
    expect(cutText('abcd', 3)).toBe('ab…');
    expect(cutBytes(Buffer.from('abcd'), 3)).toBe('abc…');
  });

  test('never leaves half a character', () => {
    expect(cutText('a😀b', 3)).toBe('a…');
    expect(cutBytes(Buffer.from('a😀b'), 3)).toBe('a…');
  });
});

describe('what is masked before a cut', () => {
  test('is the beginning of a secret, however often it was cut', () => {
    expect(maskerFor('ABCDEFGH').mask('xABC… yABCDEFG… zABCDEFGH… AB…')).toBe('x[secret]… y[secret]… z[secret]… AB…');
  });

  test('is the beginning of the longest secret that fits, and all of another one that reaches into it', () => {
    expect(maskerFor('ABCDEF', 'ABCDEFGHIJ').mask('ABCDEFGH…')).toBe('[secret]…');
    expect(maskerFor('xxAB012', 'B012345').mask('xxAB0123…')).toBe('[secret]…');
  });

  test('is a line of a secret with several lines', () => {
    const key = `-----BEGIN KEY-----\n${'QUJDREVGR0hJSktMTU5P'.repeat(2)}\n-----END KEY-----`;
    expect(maskerFor(key).mask(`x ${'QUJDREVGR0hJSktMTU5P'.repeat(2)} y`)).toBe('x [secret] y');
  });

  test('takes time that grows with the text, whatever is in it', () => {
    const masker = maskerFor('A'.repeat(2_000), 'AB'.repeat(1_000));
    const text = `${'A'.repeat(1_500)}…`.repeat(400);
    expect(masker.mask(text)).toBe('[secret]…'.repeat(400));
  });
});
