import { expect, test } from 'vitest';
import { LineAssembler } from '../../../../src/builds/log/line-assembler.ts';

test('lines of several streams do not break into each other', () => {
  const lines = new LineAssembler();
  expect(lines.push('out one, out', 0)).toBe('');
  expect(lines.push('err one\nerr', 1)).toBe('err one\n');
  expect(lines.push(' two\n', 0)).toBe('out one, out two\n');
  expect(lines.end()).toBe('err\n');
  expect(lines.end()).toBe('');
});

test('each way to end a line is one, wherever it is cut', () => {
  const lines = new LineAssembler();
  expect(lines.push('a\r', 0)).toBe('');
  expect(lines.push('\nb\r\nc', 0)).toBe('a\nb\n');
  expect(lines.push('10 %\r20 %\r', 0)).toBe('c10 %\n');
  expect(lines.push('done\n\n', 0)).toBe('20 %\ndone\n\n');
});

test('control sequences are taken out, and one that never ends hides no other line', () => {
  const lines = new LineAssembler();
  expect(lines.push('\u001b[31mred\u001b[0m\u0007 \u001b]0;title\u0007tab\there\n', 0)).toBe('red tab\there\n');
  expect(lines.push('\u001b]0;no end\nshown\n\u0007x\n', 0)).toContain('\nshown\n');
});

test('a line without end is passed on in parts', () => {
  const lines = new LineAssembler();
  expect(lines.push('x'.repeat(65_000), 0)).toBe('');
  expect(lines.push('x'.repeat(1_000), 0)).toBe('x'.repeat(66_000));
  expect(lines.push('y\n', 0)).toBe('y\n');
});
