import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readLines } from '../../../../src/workflows/metrics/read-lines.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

async function linesIn(text: string, maxBytes: number): Promise<(string | undefined)[]> {
  const file = path.join(temporaryFolder(), 'lines');
  writeFileSync(file, text);
  const lines = [];
  for await (const { number, text: line } of readLines(file, maxBytes)) {
    lines.push(line);
    expect(number).toBe(lines.length);
  }
  return lines;
}

test.each([
  ['', []],
  ['a', ['a']],
  ['a\n', ['a']],
  ['a\n\nb', ['a', '', 'b']],
  ['\n', ['']],
  ['\uFEFFa\n\uFEFFb', ['a', '\uFEFFb']],
  ['12345\n123456\n1\n1234567', ['12345', undefined, '1', undefined]],
])('%j are the lines', async (text, lines) => {
  expect(await linesIn(text, 5)).toEqual(lines);
});

test('lines are whole, whatever the pieces in which a file is read', async () => {
  const lines = Array.from({ length: 400 }, (_, index) => 'ü'.repeat(index * 7));
  expect(await linesIn(lines.join('\n'), 10_000)).toEqual(lines);
});

test('a line over the limit, however long, is passed over and the next one is read', async () => {
  expect(await linesIn(`a\n${'x'.repeat(3_000_000)}\nb`, 1_000_000)).toEqual(['a', undefined, 'b']);
});
