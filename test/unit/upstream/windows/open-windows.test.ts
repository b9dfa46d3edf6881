import { expect, test } from 'vitest';
import type { Upstream } from '../../../../src/upstream/upstream.ts';
import type { IdeWindow } from '../../../../src/upstream/windows/find-windows.ts';
import { OpenWindows } from '../../../../src/upstream/windows/open-windows.ts';

const windowOn = (port: number, workspace: string | undefined = '/a'): IdeWindow => ({
  port,
  dialect: 'rest',
  url: `http://127.0.0.1:${port}/api`,
  workspace,
});

function open() {
  const log: string[] = [];
  const lost: string[] = [];
  let end: (() => void) | undefined;
  const windows = new OpenWindows({
    connect: ({ port, workspace }) => {
      log.push(`connect ${port} ${workspace}`);
      return {
        start: () => log.push(`start ${port}`),
        activity: { subscribers: () => [`client of ${workspace}`] },
        stop: (reason: string) => {
          log.push(`stop ${port}: ${reason}`);
          return new Promise<void>((resolve) => {
            end = resolve;
          });
        },
      } as unknown as Upstream;
    },
    onSubscribersLost: (ids) => void lost.push(...ids),
  });
  return { windows, log, lost, end: () => end?.() };
}

test('a window is connected once, for as long as it has the same folder open', () => {
  const { windows, log, lost } = open();
  expect(windows.take([windowOn(1)])).toBe(true);
  expect(windows.take([windowOn(1)])).toBe(false);
  expect([log, windows.opened, windows.has(1), windows.has(2)]).toEqual([['connect 1 /a', 'start 1'], 1, true, false]);
  expect(windows.take([windowOn(1, '/b')])).toBe(true);
  expect(log.slice(2)).toEqual(['connect 1 /b', 'start 1', expect.stringContaining('stop 1: its window was closed')]);
  expect([lost, windows.opened]).toEqual([['client of /a'], 2]);
});

test('a window that does not answer is kept, and is busy until it does', () => {
  const { windows, log } = open();
  windows.take([windowOn(1)]);
  expect(windows.take([{ port: 1, problem: 'silent' }])).toBe(false);
  expect(windows.all.map(({ isBusy }) => isBusy)).toEqual([true]);
  windows.take([windowOn(1)]);
  expect([windows.all.map(({ isBusy }) => isBusy), log.length]).toEqual([[false], 2]);
});

test('what was never a window is none because it is silent', () => {
  const { windows } = open();
  expect(windows.take([{ port: 1, problem: 'silent' }])).toBe(false);
  expect(windows.all).toEqual([]);
});

test('a window that is gone is ended, and its clients are told', () => {
  const { windows, log, lost } = open();
  windows.take([windowOn(1), windowOn(2, '/b')]);
  expect(windows.take([{ port: 1, problem: 'nothing' }, windowOn(2, '/b')])).toBe(true);
  expect([windows.upstreams.length, lost]).toEqual([1, ['client of /a']]);
  expect(log.at(-1)).toMatch(/^stop 1/);
});

test('all are ended together, and whoever waits for their end waits for each', async () => {
  const { windows, log, end } = open();
  windows.take([windowOn(1)]);
  windows.clear('the gateway stops');
  expect([windows.all, log.at(-1)]).toEqual([[], 'stop 1: the gateway stops']);
  let isOver = false;
  const over = windows.ended().then(() => {
    isOver = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isOver).toBe(false);
  end();
  await over;
});
