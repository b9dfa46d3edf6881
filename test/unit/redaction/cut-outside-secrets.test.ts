import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutOutsideSecrets } from '../../../src/redaction/cut-outside-secrets.ts';
import { redact } from '../../../src/redaction/redact.ts';

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const random = (length: number) =>
  fc
    .array(fc.constantFrom(...ALPHABET.split('')), { minLength: length, maxLength: length })
    .map((letters) => letters.join(''))
    .filter((text) => /\d.*\d.*\d/.test(text) && new Set(text).size >= 8);

const inLines = (body: string) => body.match(/.{1,64}/g)!.join('\n');

/** What is secret, and how it stands in a text. Assembled here, so that no scanner takes this file for a leak. */
const secrets = fc.oneof(
  random(36).map((body) => ({ body, text: `${'gh'}p_${body}` })),
  random(60).map((body) => ({ body, text: `sk-${'ant'}-api03-${body}` })),
  random(20).map((body) => ({ body, text: `password = "${body.slice(0, 10)} ${body.slice(10)}"` })),
  random(24).map((body) => ({ body, text: `https://user:${body}@example.com/path` })),
  random(24).map((body) => ({ body, text: `{"api_key": "${body}"}` })),
  random(24).map((body) => ({ body, text: `Authorization: Bearer ${body}` })),
  random(640).map((body) => ({
    body,
    text: `-----BEGIN ${'PRIVATE'} KEY-----\n${inLines(body)}\n-----END ${'PRIVATE'} KEY-----`,
  })),
);
const filler = fc.string({ unit: fc.constantFrom('x', 'y', ' ', '\n', '.', 'word '), maxLength: 80 });

describe('a text that is cut before it is redacted', () => {
  test('has no half of a secret, wherever it is cut', () => {
    fc.assert(
      fc.property(filler, secrets, filler, fc.nat(), (before, { body, text: secret }, after, offset) => {
        const text = `${before} ${secret} ${after}`;
        const cut = cutOutsideSecrets(text, 1 + (offset % text.length));
        const shown = redact(cut).value;
        for (let at = 0; at + 4 <= body.length; at++) expect(shown).not.toContain(body.slice(at, at + 4));
      }),
      { numRuns: 400 },
    );
  });

  test('is cut where it is long, and nowhere else', () => {
    expect(cutOutsideSecrets('one two', 7)).toBe('one two');
    expect(cutOutsideSecrets('one two', 5)).toBe('one …');
  });

  test('keeps all before a secret that lies across the cut', () => {
    const secret = `${'gh'}p_${'A1b2C3d4'.repeat(5)}`;
    expect(cutOutsideSecrets(`the token is ${secret}, see above`, 40)).toBe('the token is …');
    expect(cutOutsideSecrets(`the token is ${secret}, see above`, 62)).toBe(`the token is ${secret}, se…`);
  });
});
