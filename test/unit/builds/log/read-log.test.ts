import { writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newestLines } from '../../../../src/builds/log/read-log.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

function fileOf(text: string): string {
  const file = path.join(temporaryFolder(), 'x.log');
  writeFileSync(file, text);
  return file;
}

test('the newest lines are read, and no more', async () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lengths, fc.integer({ min: 1, max: 14 }), fc.boolean(), async (all, count, isEnded) => {
      const lines = all.map((length, number) => `${number} ${'€'.repeat(length)}.`);
      const file = fileOf(lines.join('\n') + (isEnded && lines.length > 0 ? '\n' : ''));
      const newest = lines.slice(-count);
      if (Buffer.byteLength(newest.join('\n')) < 900_000) expect(await newestLines(file, count)).toEqual(newest);
    }),
    { numRuns: 40 },
  );
}, 60_000);

test('empty lines are lines', async () => {
  expect(await newestLines(fileOf(''), 3)).toEqual([]);
  expect(await newestLines(fileOf('\n'), 3)).toEqual(['']);
  expect(await newestLines(fileOf('a\n\n\n'), 2)).toEqual(['', '']);
});

test('of very long lines so many are given as fit, and that is said', async () => {
  const lines = Array.from({ length: 40 }, (_, number) => `${number} ${'x'.repeat(50_000)}`);
  const read = await newestLines(fileOf(`${lines.join('\n')}\n`), 40);
  expect(read[0]).toContain('earlier lines are left out');
  expect(read.length).toBeGreaterThan(15);
  expect(read.slice(1)).toEqual(lines.slice(1 - read.length));
});
