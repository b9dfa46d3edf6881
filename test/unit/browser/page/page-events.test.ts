import { expect, test } from 'vitest';
import { PageEvents } from '../../../../src/browser/page/page-events.ts';
import { boundedText, quotedText } from '../../../../src/browser/page/page-text.ts';

test('events are kept until they are taken, the first 20 of them', () => {
  const events = new PageEvents();
  for (let nth = 1; nth <= 25; nth++) events.note(`Event ${nth}.`);
  const taken = events.take();
  expect(taken).toHaveLength(21);
  expect(taken.slice(-2)).toEqual(['Event 20.', '5 more events followed.']);
  expect(events.take()).toEqual([]);
});

test('texts of a page are quoted on one line and cut', () => {
  expect(quotedText('a\n"b"\u2028\u202e\u0085')).toBe(String.raw`"a\n\"b\"\u2028\u202e\u0085"`);
  expect(quotedText('x'.repeat(300), 10)).toBe('"xxxxxxxxx…"');
  expect(boundedText('short', 5)).toBe('short');
});
