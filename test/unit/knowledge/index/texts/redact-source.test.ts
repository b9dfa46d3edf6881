import { expect, test } from 'vitest';
import { redactSource } from '../../../../../src/knowledge/index/texts/redact-source.ts';

const key = (letter: string) =>
  ['-----BEGIN PRIVATE KEY-----', letter.repeat(64), letter.repeat(64), '-----END PRIVATE KEY-----'].join('\n');

test('a text without secrets stays as it is', () => {
  expect(redactSource('const walrus = 1;\n')).toBe('const walrus = 1;\n');
});

test.each([
  ['one', `first\n${key('A')}\nlast\n`],
  ['two', `${key('A')}\nbetween\n${key('B')}\nlast\n`],
  ['one at the end', `first\nlast\n${key('A')}`],
  ['one beside another secret', `password = "correct-horse-9"\n${key('A')}\nlast\npassword: "battery-staple-7"\n`],
  ['equal ones', `${key('A')}\n\n${key('A')}\n${key('A')}\nlast\n`],
])('the lines behind secrets of several lines keep their numbers: %s', (_what, text) => {
  const redacted = redactSource(text)!;
  expect(redacted).not.toContain('A'.repeat(64));
  expect(redacted).not.toContain('correct-horse-9');
  const lines = redacted.split('\n');
  expect(lines).toHaveLength(text.split('\n').length);
  expect(lines.indexOf('last')).toBe(text.split('\n').indexOf('last'));
});
