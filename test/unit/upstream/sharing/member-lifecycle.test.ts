import { expect, test } from 'vitest';
import type { Caller } from '../../../../src/core/providers/provider.ts';
import { MemberLifecycle } from '../../../../src/upstream/sharing/member-lifecycle.ts';
import { ProcessQuota } from '../../../../src/upstream/sharing/process-quota.ts';
import { KeepingCaller } from '../calls.ts';
import { entryOf } from '../entries.ts';
import { optionsOf } from './memory-pool.ts';

/** The processes of an upstream, none of which is ever connected. */
function open({ isSplit = true, places = 10 } = {}) {
  let split = isSplit;
  const lifecycle = new MemberLifecycle({
    options: { ...optionsOf(entryOf({ share: 'session' })), processes: new ProcessQuota(places) },
    isSplit: () => split,
    onOffer: () => undefined,
  });
  return {
    lifecycle,
    split: () => {
      split = true;
    },
  };
}

const callerOf = (sessionId: string): Caller => new KeepingCaller(sessionId);

test('clients that share one process get the common one', () => {
  const { lifecycle } = open({ isSplit: false });
  expect(lifecycle.common).toBeUndefined();
  const common = lifecycle.openCommon();
  expect([lifecycle.openCommon(), lifecycle.beginFor(callerOf('A')), lifecycle.common]).toEqual([
    common,
    common,
    common,
  ]);
  expect(lifecycle.isForAll(common)).toBe(true);
});

test('the first client with a process of its own takes the common one, the next gets a new one', () => {
  const { lifecycle } = open();
  const common = lifecycle.openCommon();
  expect(lifecycle.isForAll(common)).toBe(false);
  const first = lifecycle.beginFor(callerOf('A'));
  expect([first === common, lifecycle.common]).toEqual([true, undefined]);
  const second = lifecycle.beginFor(callerOf('B'));
  expect([second === undefined, second === common]).toEqual([false, false]);
});

test('the common process stays with the clients that have used it', async () => {
  const { lifecycle, split } = open({ isSplit: false });
  const common = lifecycle.openCommon();
  common.claim(callerOf('A'));
  split();
  expect(lifecycle.beginFor(callerOf('B'))).not.toBe(common);
  expect(lifecycle.common).toBeUndefined();
  // It was not ended: its client still uses it.
  common.upstream.start();
  expect(common.upstream.isLive()).toBe(true);
  await common.end('over');
});

test('a common process that a client used before is ended when another client would take it', async () => {
  const { lifecycle } = open();
  const common = lifecycle.openCommon();
  common.claim(callerOf('A'));
  common.owners.clear();
  expect(lifecycle.beginFor(callerOf('B'))).not.toBe(common);
  await lifecycle.ended();
  common.upstream.start();
  expect(common.upstream.isLive()).toBe(false);
});

test('a process that has ended gives its place back, and is not common any more', async () => {
  const { lifecycle } = open({ places: 1 });
  const first = lifecycle.beginFor(callerOf('A'))!;
  const common = lifecycle.openCommon();
  expect([lifecycle.beginFor(callerOf('B')), lifecycle.common]).toEqual([undefined, common]);
  lifecycle.end(first, 'its client has gone');
  expect(lifecycle.common).toBe(common);
  lifecycle.end(common, 'over');
  expect(lifecycle.common).toBeUndefined();
  expect(lifecycle.beginFor(callerOf('B'))).toBeDefined();
  await lifecycle.ended();
});

test('those that were ended are waited for', async () => {
  const { lifecycle } = open();
  const member = lifecycle.openCommon();
  let finish = () => {};
  member.end = () =>
    new Promise((resolve) => {
      finish = resolve;
    });
  lifecycle.end(member, 'over');
  let isOver = false;
  const ended = lifecycle.ended().then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  expect(isOver).toBe(false);
  finish();
  await ended;
});
