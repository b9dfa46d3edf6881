import { expect, test } from 'vitest';
import { unlessOverdue } from '../../../../../src/workflows/webview/tools/unless-overdue.ts';

const never = new Promise<never>(() => undefined);
const aborted = AbortSignal.abort(new Error('enough'));

test('work that has ended, or ends in time after the signal, says how', async () => {
  expect(await unlessOverdue(Promise.resolve(1), new AbortController().signal, 0)).toBe(1);
  expect(await unlessOverdue(Promise.resolve(2), aborted, 60_000)).toBe(2);
  await expect(unlessOverdue(Promise.reject(new Error('own words')), aborted, 60_000)).rejects.toThrow('own words');
});

test('work that is stuck is left alone with the reason of the signal', async () => {
  await expect(unlessOverdue(never, aborted, 1)).rejects.toThrow('enough');
  const abort = new AbortController();
  const waiting = unlessOverdue(never, abort.signal, 1);
  abort.abort(new Error('later'));
  await expect(waiting).rejects.toThrow('later');
});
