import { describe, expect, test } from 'vitest';
import { redact } from '../../../src/redaction/redact.ts';
import { INNOCENTS } from './corpus/innocents.ts';
import { labelled, stillShown } from './corpus/labelled.ts';
import { MORE_INNOCENTS, MORE_SECRETS } from './corpus/more.ts';
import { SECRET_COMMANDS } from './corpus/secret-commands.ts';
import { SECRET_SETTINGS } from './corpus/secret-settings.ts';
import { SECRET_TOKENS } from './corpus/secret-tokens.ts';

const SECRETS = [...SECRET_TOKENS, ...SECRET_SETTINGS, ...SECRET_COMMANDS, ...MORE_SECRETS].map(labelled);
const HARMLESS = [...INNOCENTS, ...MORE_INNOCENTS];

/** How many of each set are wrong today. These are bounds: lower them when the rules get better. */
const MISSED = 0;
const HIDDEN = 1;

describe('the labelled sets', () => {
  test('are large enough, and have nothing twice', () => {
    expect(SECRETS.length).toBeGreaterThanOrEqual(150);
    expect(HARMLESS.length).toBeGreaterThanOrEqual(150);
    expect(new Set([...SECRETS.map(({ text }) => text), ...HARMLESS]).size).toBe(SECRETS.length + HARMLESS.length);
  });

  test('hide the secrets', () => {
    const missed = SECRETS.map((one) => ({ ...one, shown: redact(one.text).value })).filter(
      (one) => stillShown(one, one.shown).length > 0,
    );
    expect(missed.length, JSON.stringify(missed, null, 2)).toBeLessThanOrEqual(MISSED);
  });

  test('leave the innocents as they are', () => {
    const hidden = HARMLESS.map((text) => ({ text, shown: redact(text).value })).filter(
      ({ text, shown }) => text !== shown,
    );
    expect(hidden.length, JSON.stringify(hidden, null, 2)).toBeLessThanOrEqual(HIDDEN);
  });

  test('what is redacted once is not changed when it is redacted again', () => {
    const changed = SECRETS.map(({ text }) => redact(text).value).filter((once) => redact(once).value !== once);
    expect(changed).toEqual([]);
  });
});
