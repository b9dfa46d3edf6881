import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withFileLock } from '../../../src/store/file-lock.ts';
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
  writeFileSync(file, `${dead.pid} ${hostname()} of a process that is gone`);
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
