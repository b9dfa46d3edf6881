import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ownStamp, type ProcessStamp, stampText } from '../../../src/core/processes/process-stamp.ts';
import { takeFileLock, withFileLock } from '../../../src/store/file-lock.ts';
import { temporaryFolder } from '../../support/gateway.ts';

const run = promisify(execFile);
const source = path.resolve('src/store/file-lock.ts');

/** Reads a number and writes the next one, with time between for others to get in the way. */
const counting = (folder: string) => `
  import { readFileSync, writeFileSync } from 'node:fs';
  import { setTimeout } from 'node:timers/promises';
  import { withFileLock } from ${JSON.stringify(source)};
  const file = ${JSON.stringify(path.join(folder, 'count'))};
  for (let round = 0; round < 10; round++)
    await withFileLock(${JSON.stringify(path.join(folder, 'lock'))}, async () => {
      const count = Number(readFileSync(file, 'utf8'));
      await setTimeout(2);
      writeFileSync(file, String(count + 1));
    });
`;

test('no two processes are inside at one time', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'count'), '0');
  const script = path.join(folder, 'count.mts');
  writeFileSync(script, counting(folder));
  await Promise.all([1, 2, 3].map(() => run(process.execPath, ['--import', 'tsx', script])));
  expect(readFileSync(path.join(folder, 'count'), 'utf8')).toBe('30');
  expect(readdirSync(folder).sort()).toEqual(['count', 'count.mts']);
});

test('what a process left behind that was killed is taken away', async () => {
  const file = path.join(temporaryFolder(), 'lock');
  const dead = execFile(process.execPath, ['-e', '']);
  await new Promise((resolve) => dead.once('exit', resolve));
  writeFileSync(file, `${stampText({ ...ownStamp(), pid: dead.pid! })} of a process that is gone`);
  expect(await withFileLock(file, async () => 'inside')).toBe('inside');
  expect(existsSync(file)).toBe(false);
});

test('it is let go of when the work fails', async () => {
  const file = path.join(temporaryFolder(), 'deep', 'lock');
  const fail = () => withFileLock(file, () => Promise.reject(new Error('no luck')));
  await expect(fail()).rejects.toThrow('no luck');
  expect(existsSync(file)).toBe(false);
});

test('a signal ends the wait for what another holds', async () => {
  const lock = path.join(temporaryFolder(), 'lock');
  const callOff = new AbortController();
  await withFileLock(lock, async () => {
    const waiting = withFileLock(lock, async () => 'inside', callOff.signal);
    callOff.abort(new Error('called off'));
    await expect(waiting).rejects.toThrow('called off');
  });
});

/** A lock that a process took so many minutes ago, and has not touched since. */
function heldBy(stamp: Partial<ProcessStamp>, minutes: number): string {
  const file = path.join(temporaryFolder(), 'lock');
  writeFileSync(file, `${stampText({ ...ownStamp(), ...stamp })} id`);
  const then = new Date(Date.now() - minutes * 60_000);
  utimesSync(file, then, then);
  return file;
}

/** Whether the lock can be had at once, or at the second try: the first one takes away what is stale. */
const canBeTaken = (file: string) => (takeFileLock(file) ?? takeFileLock(file)) !== undefined;

test.skipIf(process.platform !== 'linux')(
  'a lock is not taken from a process that lives, however old the lock is',
  () => {
    expect(canBeTaken(heldBy({}, 60))).toBe(false);
  },
);

test.skipIf(process.platform !== 'linux')('a lock is taken from a process whose number another process has now', () => {
  expect(canBeTaken(heldBy({ startedAt: '1' }, 0))).toBe(true);
});

test('a lock of another machine is taken after five minutes without a sign of life', () => {
  expect(canBeTaken(heldBy({ place: '00000000' }, 4))).toBe(false);
  expect(canBeTaken(heldBy({ place: '00000000' }, 6))).toBe(true);
});

test('who holds a lock gives signs of life while the work runs', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const file = path.join(temporaryFolder(), 'lock');
  await withFileLock(file, async () => {
    utimesSync(file, 0, 0);
    vi.advanceTimersByTime(60_000);
    expect(Date.now() - statSync(file).mtimeMs).toBeLessThan(60_000);
  });
  expect(vi.getTimerCount()).toBe(0);
});

test('a lock that was taken away is not removed by its last holder', async () => {
  const file = path.join(temporaryFolder(), 'lock');
  await withFileLock(file, async () => writeFileSync(file, 'of another process'));
  expect(readFileSync(file, 'utf8')).toBe('of another process');
});

test('nothing but the lock is in the folder while it is held, and nothing afterwards', async () => {
  const folder = temporaryFolder();
  const lock = path.join(folder, 'lock');
  writeFileSync(lock, `${stampText({ ...ownStamp(), place: '00000000' })} id`);
  utimesSync(lock, 0, 0);
  await withFileLock(lock, async () => expect(readdirSync(folder)).toEqual(['lock']));
  expect(readdirSync(folder)).toEqual([]);
});

describe('a stale lock that two processes take away by turns', () => {
  /** A lock and a turn in a folder; `turn` is the pid of who has the turn. */
  async function staleWithTurn(isTurnStale: boolean) {
    const file = path.join(temporaryFolder(), 'lock');
    const dead = execFile(process.execPath, ['-e', '']);
    await new Promise((resolve) => dead.once('exit', resolve));
    const stamp = (pid: number) => `${stampText({ ...ownStamp(), pid })} one`;
    writeFileSync(file, stamp(dead.pid!));
    writeFileSync(`${file}.turn`, stamp(isTurnStale ? dead.pid! : process.pid));
    return file;
  }

  test('is taken also where a process was killed during its turn, and nothing is left behind', async () => {
    const file = await staleWithTurn(true);
    expect(await withFileLock(file, async () => readdirSync(path.dirname(file)))).toEqual(['lock']);
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  test('is left alone while another process has the turn', async () => {
    const file = await staleWithTurn(false);
    for (let time = 0; time < 3; time++) expect(takeFileLock(file)).toBeUndefined();
    expect(readdirSync(path.dirname(file)).sort()).toEqual(['lock', 'lock.turn']);
  });
});

test('a lock that is held is not taken, and a lock without a holder neither until it is old', () => {
  const file = path.join(temporaryFolder(), 'lock');
  const letGo = takeFileLock(file);
  expect([letGo === undefined, takeFileLock(file)]).toEqual([false, undefined]);
  letGo?.();
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, '');
  expect(takeFileLock(file)).toBeUndefined();
  expect(existsSync(file)).toBe(true);
});
