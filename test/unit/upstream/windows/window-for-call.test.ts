import { expect, test } from 'vitest';
import type { IdeWindow, PortFinding } from '../../../../src/upstream/windows/find-windows.ts';
import type { WindowChecks } from '../../../../src/upstream/windows/window-checks.ts';
import { windowForCall } from '../../../../src/upstream/windows/window-for-call.ts';

interface Window extends IdeWindow {
  readonly isBusy: boolean;
  readonly upstream: object;
}

const windowOn = (port: number, workspace: string, isBusy = false): Window => ({
  port,
  dialect: 'rest',
  url: `http://127.0.0.1:${port}/api`,
  workspace,
  isBusy,
  upstream: {},
});

interface Script {
  /** The windows that are known before the first look, and after each look. */
  readonly before?: readonly Window[];
  readonly looks?: readonly (readonly Window[])[];
  /** What the window that is asked says; it may change what is known. */
  readonly says?: (change: (windows: readonly Window[]) => void) => PortFinding | undefined;
  readonly isFresh?: boolean;
  readonly absence?: string;
}

async function choose({ before = [], looks = [], says = () => undefined, isFresh = false, absence }: Script) {
  let windows = before;
  const left = [...looks];
  const done: string[] = [];
  const change = (now: readonly Window[]) => {
    windows = now;
  };
  const checks = {
    ask: async (port: number) => {
      done.push(`ask ${port}`);
      return says(change);
    },
  } as unknown as WindowChecks;
  const known = {
    checks,
    windows: () => windows,
    isFresh: () => isFresh,
    absence: () => absence,
    look: async () => {
      await Promise.resolve();
      done.push('look');
      windows = left.shift() ?? windows;
    },
  };
  const choice = await windowForCall(known, { folder: '/a', isConfigured: false }, 5_000);
  return { choice, done };
}

const A = windowOn(1, '/a');
const BUSY = windowOn(1, '/a', true);
const TOO_BUSY = { problem: expect.stringContaining('did not say within 5000 ms which folder it has open') };

test('after a look not long ago, a window that still has its folder is taken without another look', async () => {
  const { choice, done } = await choose({ before: [A], isFresh: true, says: () => A });
  expect([choice, done]).toEqual([{ window: A }, ['ask 1']]);
});

test.each<[string, Script['says']]>([
  ['it has another folder now', () => windowOn(1, '/b')],
  ['it is gone', () => ({ port: 1, problem: 'nothing' })],
  [
    'its connection was replaced meanwhile',
    (change) => {
      change([{ ...A, upstream: {} }]);
      return A;
    },
  ],
])('the windows are looked at again where %s', async (_what, says) => {
  const next = windowOn(2, '/a');
  const { choice, done } = await choose({ before: [A], isFresh: true, looks: [[next]], ...(says && { says }) });
  expect([choice, done]).toEqual([{ window: next }, ['ask 1', 'look']]);
});

test.each<[string, PortFinding | undefined]>([
  ['in time', undefined],
  ['at all', { port: 1, problem: 'silent' }],
])('a call to a window that does not answer %s fails, and says why', async (_what, said) => {
  const { choice, done } = await choose({ before: [A], isFresh: true, says: () => said });
  expect([choice, done]).toEqual([TOO_BUSY, ['ask 1']]);
});

test('after a look long ago, the windows are looked at first', async () => {
  const { choice, done } = await choose({ before: [windowOn(9, '/a')], looks: [[A]] });
  expect([choice, done]).toEqual([{ window: A }, ['look']]);
});

test('a window that fits badly before the look is no reason to give up', async () => {
  const { choice, done } = await choose({ before: [windowOn(9, '/b')], isFresh: true, looks: [[A]] });
  expect([choice, done]).toEqual([{ window: A }, ['look']]);
});

test('where no window is there, the reason is given', async () => {
  const { choice } = await choose({ looks: [[A]], absence: 'it was stopped' });
  expect(choice).toEqual({ problem: 'it was stopped' });
});

test('a busy window is waited for, and taken if it still has its folder', async () => {
  const { choice, done } = await choose({ looks: [[BUSY]], says: () => BUSY });
  expect([choice, done]).toEqual([{ window: BUSY }, ['look', 'ask 1']]);
});

test('a busy window that has another folder by then makes for one more look', async () => {
  const next = windowOn(2, '/a');
  const other = () => windowOn(1, '/b');
  const { choice, done } = await choose({ looks: [[BUSY], [next]], says: other });
  expect([choice, done]).toEqual([{ window: next }, ['look', 'ask 1', 'look']]);
  expect((await choose({ looks: [[BUSY], [BUSY]], says: other })).choice).toEqual(TOO_BUSY);
  const none = await choose({ looks: [[BUSY], [windowOn(2, '/c')]], says: other });
  expect(none.choice).toEqual({ problem: expect.stringContaining('no window is known') });
});
