import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { isRunning, ownStamp, stampIn, stampText } from '../../../../src/core/processes/process-stamp.ts';
import { endChild } from '../../../support/processes.ts';

const isLinux = process.platform === 'linux';

test('a stamp is read as it was written, and nothing else is one', () => {
  const stamp = { pid: 12, startedAt: 'x', place: '0123abcd' };
  expect(stampIn(stampText(stamp))).toEqual(stamp);
  expect(stampIn(stampText(ownStamp()))).toEqual(ownStamp());
  for (const text of ['', '12', '12-13', '12-13-host', 'x-1-0123abcd', '12-13-0123abcd-'])
    expect(stampIn(text)).toBeUndefined();
});

test.skipIf(!isLinux)('this process runs; one with its number that has started at another time does not', () => {
  expect(isRunning(ownStamp())).toBe(true);
  expect(isRunning({ ...ownStamp(), startedAt: '1' })).toBe(false);
});

test('a process that has ended does not run', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  onTestFinished(() => endChild(child));
  await once(child, 'exit');
  expect(isRunning({ ...ownStamp(), pid: child.pid! })).toBe(false);
});

test('whether it runs is not known of a process of another place, or one whose start is not known', () => {
  expect(isRunning({ ...ownStamp(), place: '00000000' })).toBeUndefined();
  expect(isRunning({ ...ownStamp(), startedAt: 'x' })).toBeUndefined();
});
