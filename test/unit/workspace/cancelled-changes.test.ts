import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolder, move, remove, writeFile } from '../../../src/workspace/mutations.ts';
import { workspaceSetup } from './workspace-setup.ts';

const NEW = () => ({ bytes: Buffer.from('new'), result: undefined });

describe('a change whose call is cancelled is not made', () => {
  test.each(['write', 'remove', 'move', 'folder'] as const)('%s, while it is being noted', async (kind) => {
    const { changes, root, sandbox, store, write } = workspaceSetup();
    await write('there', 'old');
    const abort = new AbortController();
    const add = store.add.bind(store);
    store.add = async (change) => {
      const id = await add(change);
      abort.abort();
      return id;
    };
    const request = {
      sandbox,
      path: kind === 'remove' || kind === 'move' ? 'there' : 'added',
      origin: { session: 's', tool: kind },
      signal: abort.signal,
    };
    const acts = {
      write: () => writeFile(changes, request, NEW),
      remove: () => remove(changes, request),
      move: () => move(changes, request, 'moved'),
      folder: () => createFolder(changes, request),
    };
    await expect(acts[kind]()).rejects.toThrow('aborted');
    expect(['there', 'added', 'moved'].map((name) => existsSync(path.join(root, name)))).toEqual([true, false, false]);
    expect(await store.list({ isBegun: true, limit: 10 })).toEqual([]);
  });

  test('while another change of the workspace has its turn', async () => {
    const { changes, root, sandbox } = workspaceSetup();
    const abort = new AbortController();
    const request = { sandbox, path: 'added', origin: { session: 's', tool: 'write' }, signal: abort.signal };
    const first = changes.inTurn({ sandbox, path: 'other' }, async () => abort.abort());
    await expect(writeFile(changes, request, NEW)).rejects.toThrow('aborted');
    await first;
    expect(existsSync(path.join(root, 'added'))).toBe(false);
  });

  test('neither is the rest of several that are undone', async () => {
    const { root, undo, write } = workspaceSetup();
    await write('a', 'a');
    await expect(undo({ last: false }, false, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(existsSync(path.join(root, 'a'))).toBe(true);
  });
});
