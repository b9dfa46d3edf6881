import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SecretSieve } from '../../../../src/builds/log/secret-sieve.ts';
import { redact } from '../../../../src/redaction/redact.ts';

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'.split('');
const word = (length: number) =>
  fc.array(fc.constantFrom(...LETTERS), { minLength: length, maxLength: length }).map((all) => all.join(''));

/** A text with a secret in it, and the secret. */
interface Sample {
  readonly text: string;
  readonly secret: string;
}

const keyLines = fc
  .tuple(word(64), fc.integer({ min: 1, max: 400 }))
  .map(([line, count]) => Array<string>(count).fill(line).join('\n'));

const sample: fc.Arbitrary<Sample> = fc.oneof(
  word(36).map((token) => ({ text: `ghp_${token}`, secret: token })),
  word(20).map((value) => ({ text: `export DB_PASSWORD=${value}7`, secret: value })),
  word(20).map((value) => ({ text: `"api_key": "${value}7"`, secret: value })),
  word(20).map((value) => ({ text: `- name: API_TOKEN\n  value: ${value}7`, secret: value })),
  word(12).map((value) => ({ text: `curl \\\n  -u user:${value} http://x/`, secret: value })),
  word(24).map((value) => ({ text: `Authorization: Bearer ${value}9`, secret: value })),
  keyLines.map((lines) => ({
    text: `-----BEGIN RSA PRIVATE KEY-----\n${lines}\n-----END RSA PRIVATE KEY-----`,
    secret: lines.slice(-40),
  })),
);

/** Lines of a build, so many characters that secrets come to lie on each side of where the text is cut. */
const filler = fc.tuple(fc.integer({ min: 0, max: 45_000 }), fc.integer({ min: 1, max: 200 })).map(([length, width]) =>
  'Compiling module 1234567 of the program and all that belongs to it, as it should. '
    .repeat(3)
    .slice(0, width)
    .concat('\n')
    .repeat(Math.ceil(length / width))
    .slice(0, length),
);

const pieces = fc.array(fc.tuple(filler, sample), { minLength: 1, maxLength: 5 });

/** What comes out when the text comes in pieces of these lengths, with a pause after every so many. */
function sieved(
  text: string,
  { lengths, pauseAfter, mask }: { lengths: readonly number[]; pauseAfter: number; mask?: (text: string) => string },
): string {
  const sieve = new SecretSieve(mask);
  let out = '';
  for (let at = 0, count = 0; at < text.length; count++) {
    const end = at + lengths[count % lengths.length]!;
    sieve.push(text.slice(at, end));
    at = end;
    while (sieve.isFull) out += sieve.take();
    if (count % pauseAfter === pauseAfter - 1) out += sieve.settle();
  }
  while (sieve.isFull) out += sieve.take();
  return out + sieve.end();
}

const cuts = fc.record({
  lengths: fc.array(fc.oneof(fc.integer({ min: 20, max: 300 }), fc.integer({ min: 1_000, max: 70_000 })), {
    minLength: 1,
    maxLength: 5,
  }),
  pauseAfter: fc.integer({ min: 1, max: 400 }),
});

describe('secrets', () => {
  test('are taken out that redaction finds in the whole text, however it is cut', () => {
    fc.assert(
      fc.property(pieces, cuts, (parts, cut) => {
        const text = parts.map(([lines, { text: part }]) => `${lines}\n${part}\n`).join('');
        const known = parts.map(([, { secret }]) => secret).filter((secret) => !redact(text).value.includes(secret));
        const out = sieved(text, cut);
        for (const secret of known) expect(out.includes(secret), `secret ${secret} in the log`).toBe(false);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  test('are found by redaction in most of the samples', () => {
    const samples = fc.sample(sample, { numRuns: 300, seed: 1 });
    const found = samples.filter(({ text, secret }) => !redact(text).value.includes(secret));
    expect(found.length).toBeGreaterThan(285);
  });

  test.each([1_000, 1_300, 1_500, 1_600])(
    'are taken out of a key that lies where the text is cut, behind %s lines',
    (count) => {
      const line = 'Compiling a module of it\n';
      const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n'.repeat(300);
      const key = `-----BEGIN RSA PRIVATE KEY-----\n${body}-----END RSA PRIVATE KEY-----\n`;
      const [before, after] = [line.repeat(count), line.repeat(3_000)];
      const out = sieved(before + key + after, { lengths: [5_000], pauseAfter: 1_000_000 });
      expect(out).toBe(`${before}[redacted:private-key]\n${after}`);
    },
  );

  test('that are known by themselves are replaced, also across a cut', () => {
    const text = `${'x'.repeat(48_000)} the-own-secret ${'y'.repeat(60_000)} the-own-secret\n`;
    const mask = (part: string) => part.replaceAll('the-own-secret', '[secret]');
    for (const length of [7, 40_967, 48_010]) {
      const out = sieved(text, { lengths: [length], pauseAfter: 1_000_000, mask });
      expect(out).toBe(mask(text));
    }
  });
});

test('a text without secrets comes out as it is', () => {
  fc.assert(
    fc.property(fc.array(filler, { maxLength: 6 }), cuts, (parts, cut) => {
      const text = `${parts.join('\n€𝄞\n')}𝄞`;
      expect(sieved(text, cut)).toBe(text);
    }),
    { numRuns: 40 },
  );
}, 60_000);

test('a pause gives out whole lines, but not those of a key that has begun', () => {
  const sieve = new SecretSieve();
  sieve.push('one\ntwo\nthr');
  expect(sieve.settle()).toBe('one\ntwo\n');
  sieve.push('ee\n-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n');
  expect(sieve.settle()).toBe('');
  sieve.push('BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n-----END PRIVATE KEY-----\n');
  expect(sieve.settle()).toBe('three\n[redacted:private-key]\n');
  expect(sieve.end()).toBe('');
});
