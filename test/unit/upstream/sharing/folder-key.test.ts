import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ClientRoots } from '../../../../src/core/folders/client-roots.ts';
import type { ClientFacts } from '../../../../src/core/providers/provider.ts';
import { folderKey } from '../../../../src/upstream/sharing/folder-key.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { callOf, KeepingCaller } from '../calls.ts';

class ClientIn extends KeepingCaller {
  override readonly client: ClientFacts;

  constructor(folder: string | undefined) {
    super('client');
    const { client } = new KeepingCaller('client');
    this.client = { ...client, ...(folder !== undefined && { folder: { path: folder, source: 'request' } }) };
  }
}

const keyOf = (folder: string | undefined) =>
  folderKey(callOf('one', '{}', new ClientIn(folder)), new ClientRoots(() => undefined), new AbortController().signal);

test('all who work in one folder have one key, by whatever path they know it', async () => {
  const home = realpathSync(temporaryFolder());
  mkdirSync(path.join(home, 'real'));
  symlinkSync(path.join(home, 'real'), path.join(home, 'link'));
  const real = path.join(home, 'real');
  expect([await keyOf(real), await keyOf(path.join(home, 'link')), await keyOf(`${home}/x/../real`)]).toEqual([
    real,
    real,
    real,
  ]);
});

test('a folder that is not on this machine has its own path as its key', async () => {
  expect(await keyOf('/not/../nowhere/here')).toBe('/nowhere/here');
});

test('clients that do not say where they work have a key in common', async () => {
  expect(await keyOf(undefined)).toBe('');
});
