import { expect, test } from 'vitest';
import { failureLine } from '../../../../src/commands/call/failure-line.ts';

test('the first line of the own text of a tool says why it failed', () => {
  const content = [{ type: 'image' }, { type: 'text', text: '\n  no such file: a.txt\nat read (x.js:1)' }];
  expect(failureLine('fs_read', content)).toBe('fs_read failed: no such file: a.txt');
});

test('a tool that says nothing', () => {
  expect(failureLine('t', [])).toContain('t failed and does not say why: the result is empty');
  expect(failureLine('t', [{ type: 'image' }])).toContain('the result has no text');
});
