import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ClientRoots } from '../../../../src/core/folders/client-roots.ts';
import { realFolder } from '../../../../src/upstream/windows/find-windows.ts';
import { WindowCalls, type WindowCallsHost } from '../../../../src/upstream/windows/window-calls.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { callOf } from '../calls.ts';
import { entryOf } from '../entries.ts';

interface Given {
  readonly workspace?: string;
  readonly windows?: readonly object[];
  readonly search?: object;
  readonly againHint?: string;
}

function open({ workspace, windows = [], search = { name: 'looked', at: 0, nextAt: 0 }, againHint }: Given = {}) {
  let looks = 0;
  const host = {
    entry: { ...entryOf({ key: 'ide' }), workspace },
    traits: { againHint },
    windows: { all: windows },
    search: { isFresh: false, state: search, look: async () => void looks++ },
    roots: { of: async () => undefined } as unknown as ClientRoots,
    nothingFound: () => 'nothing found',
    mask: (text: string) => text.replace('secret', '***'),
    transport: { env: {}, log: {} },
  } as unknown as WindowCallsHost;
  const choose = () => new WindowCalls(host).windowFor(callOf('t'), new AbortController().signal);
  return { choose, looks: () => looks };
}

const windowOn = (port: number, workspace: string) => ({
  port,
  dialect: 'rest',
  url: `http://127.0.0.1:${port}/api`,
  workspace,
  isBusy: false,
  upstream: { port },
});

test('the folder of the config decides, by its real name', async () => {
  const folder = await realFolder(temporaryFolder());
  const link = path.join(await realFolder(temporaryFolder()), 'link');
  symlinkSync(folder, link);
  const windows = [windowOn(1, '/elsewhere'), windowOn(2, folder)];
  const { choose, looks } = open({ workspace: link, windows });
  expect(await choose()).toEqual({ port: 2 });
  expect(looks()).toBe(1);
});

test('a window that the config does not mean is not taken, and the message hides secrets', async () => {
  const { choose } = open({ workspace: '/secret', windows: [windowOn(1, '/b')] });
  await expect(choose()).rejects.toMatchObject({
    code: 'UPSTREAM_NOT_CONNECTED',
    message: expect.stringMatching(/^ide: no window .* \/\*\*\* open, which the config names/),
  });
});

test('the only window is taken for a client of which no folder is known', async () => {
  expect(await open({ windows: [windowOn(1, '/b')] }).choose()).toEqual({ port: 1 });
});

test.each<[string, Given, string]>([
  [
    'nothing was found',
    {},
    'ide: nothing found. Open the folder in the IDE, with the plug-in switched on. It is found by itself',
  ],
  [
    'nothing was found by a workflow',
    { againHint: 'Start it' },
    'ide: nothing found. Open the folder in the IDE, with the plug-in switched on. Start it',
  ],
  [
    'the search was stopped, though windows are known',
    { search: { name: 'stopped', reason: 'it was disconnected' }, windows: [windowOn(1, '/b')] },
    'ide: it was disconnected. To look for it again: viaduct sync ide',
  ],
])('the message says what to do where %s', async (_what, given, message) => {
  await expect(open(given).choose()).rejects.toThrow(message);
});
