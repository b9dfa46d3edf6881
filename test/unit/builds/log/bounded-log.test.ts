import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { BoundedLog } from '../../../../src/builds/log/bounded-log.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const BOUNDS = { headBytes: 100, tailBytes: 1_000 };

function newFile(): string {
  return path.join(temporaryFolder(), 'builds', 'one.log');
}

test('a log that fits is kept as it is, for its user only', async () => {
  const file = newFile();
  const log = new BoundedLog(file, BOUNDS);
  await log.append('one\n');
  await log.append('two €\n');
  expect(await log.close()).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toBe('one\ntwo €\n');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
});

test('of a longer one the beginning and the newest part are kept, with a line that says what is between them', async () => {
  const line = fc.tuple(fc.constantFrom('a', '€', '𝄞'), fc.integer({ min: 0, max: 90 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 0, maxLength: 200 }),
      fc.integer({ min: 1, max: 9 }),
      async (all, step) => {
        const file = newFile();
        const log = new BoundedLog(file, BOUNDS);
        await log.append('');
        const lines = all.map(([character, count], number) => `${number} ${character.repeat(count)}\n`);
        for (let at = 0; at < lines.length; at += step) {
          await log.append(lines.slice(at, at + step).join(''));
          // Twice the newest part, the beginning, and what was appended last.
          expect(statSync(file).size).toBeLessThan(100 + 2_000 + 250 + step * 370);
        }
        await log.close();
        const kept = readFileSync(file, 'utf8');
        const whole = lines.join('');
        const gap = /\n\[viaduct: (\d+) lines? \((\d+) bytes\) are left out here: [^\n]+\]\n/.exec(kept);
        if (gap === null) {
          expect(kept).toBe(whole);
          return;
        }
        const head = kept.slice(0, gap.index);
        const tail = kept.slice(gap.index + gap[0].length);
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true);
        const between = whole.slice(head.length, whole.length - tail.length);
        expect([Number(gap[1]), Number(gap[2])]).toEqual([between.split('\n').length - 1, Buffer.byteLength(between)]);
        expect(tail.length === 0 || between.endsWith('\n')).toBe(true);
        expect(Buffer.byteLength(tail)).toBeGreaterThan(1_000 - 400);
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

test('a text without line ends is cut between characters', async () => {
  const file = newFile();
  const log = new BoundedLog(file, BOUNDS);
  await log.append('x');
  for (let count = 0; count < 40; count++) await log.append('𝄞'.repeat(30));
  await log.close();
  const kept = readFileSync(file, 'utf8');
  expect(kept).not.toContain('\u{FFFD}');
  expect(kept).toMatch(/^x𝄞+\n\[viaduct: 0 lines \(\d+ bytes\) are left out here: [^\n]+\]\n𝄞+$/u);
  expect(readdirSync(path.dirname(file))).toEqual(['one.log']);
});

test('where nothing can be written, that is told, and the lines that follow are written when it can be again', async () => {
  const file = newFile();
  mkdirSync(path.dirname(path.dirname(file)), { recursive: true });
  writeFileSync(path.dirname(file), 'a file in the place of the folder');
  const log = new BoundedLog(file, BOUNDS);
  await log.append('lost\n');
  await log.append('lost too\n');
  rmSync(path.dirname(file));
  // Not tried again at once; a build that ends is the last chance.
  expect(await log.close()).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toMatch(
    /^\[viaduct: the log is incomplete: 2 lines \(14 bytes\) could not be written here \(E\w+\)\]\n$/,
  );
});

test('a disk that is full for a time costs only the lines of that time', async ({ skip }) => {
  const folder = path.join(temporaryFolder(), 'small');
  if (!mountSmall(folder)) skip();
  const file = path.join(folder, 'one.log');
  const log = new BoundedLog(file, { headBytes: 10_000, tailBytes: 1_000_000 });
  await log.append('begun\n');
  writeFileSync(path.join(folder, 'filler'), Buffer.alloc(96 * 1_024));
  await log.append(`${'x'.repeat(60_000)}\n`);
  expect(readFileSync(file, 'utf8')).toBe('begun\n');
  rmSync(path.join(folder, 'filler'));
  expect(await log.close()).toBeUndefined();
  expect(readFileSync(file, 'utf8')).toBe(
    'begun\n[viaduct: the log is incomplete: 1 line (60001 bytes) could not be written here (ENOSPC)]\n',
  );
});

/** A file system of its own of 128 KiB, where this user may make one. */
function mountSmall(folder: string): boolean {
  mkdirSync(folder);
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync('/bin/umount', ['-l', folder], { stdio: 'ignore' }));
  return true;
}

test('a file that was put in its place is left alone', async () => {
  const file = newFile();
  mkdirSync(path.dirname(file), { recursive: true });
  // Never through a link that somebody has put there.
  symlinkSync('/dev/full', file);
  const log = new BoundedLog(file, BOUNDS);
  await log.append('lost\n');
  expect(await log.close()).toBe('the log is incomplete: 1 line (5 bytes) could not be written here (EEXIST)');
});
