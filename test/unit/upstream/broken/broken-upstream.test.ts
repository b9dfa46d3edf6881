import { expect, test } from 'vitest';
import { BrokenUpstream } from '../../../../src/upstream/broken/broken-upstream.ts';
import { callOf, KeepingCaller } from '../calls.ts';

const open = (prefix = 'p') => new BrokenUpstream({ key: 'up', prefix, reason: 'no command' });
const TEXT = 'up: its entry in the config cannot be used: no command';

test('a call of an upstream with a faulty entry fails with the fault', () => {
  const caller = new KeepingCaller('A');
  open()
    .call(callOf('t', '{}', caller))
    .cancel();
  expect(caller.failures).toMatchObject([{ code: 'UPSTREAM_NOT_CONNECTED', message: TEXT }]);
});

test('so does a sync, and the status names it', async () => {
  await expect(open().sync()).rejects.toThrow(TEXT);
  expect(open().status()).toMatchObject({ key: 'up', state: 'failed', reason: 'no command', lastError: 'no command' });
  expect(open().isKnown()).toBe(true);
});

test('calls of its tools and prompts are taken where its prefix tells them apart', () => {
  const taken = (prefix: string) =>
    (['tool', 'prompt', 'resource', 'template'] as const).map((kind) => open(prefix).acceptsUnlisted(kind));
  expect([taken('p'), taken('')]).toEqual([
    [true, true, false, false],
    [false, false, false, false],
  ]);
});
