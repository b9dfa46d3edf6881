import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { FileUpdates, type FileUpdatesContext } from '../../../../../src/knowledge/index/runs/file-updates.ts';
import { Indexer } from '../../../../../src/knowledge/index/runs/indexer.ts';
import { Parsers } from '../../../../../src/knowledge/index/runs/parsers.ts';
import { Writer } from '../../../../../src/knowledge/index/runs/writer.ts';
import { folderWith } from '../../../../support/knowledge/knowledge.ts';
import { knowledgeStoresIn } from '../../../../support/knowledge/knowledge-store.ts';

const MAX_BYTES = 1_000_000;
const stores = knowledgeStoresIn('SQLite');
const never = () => {
  throw new Error('SQLite is always there');
};
const { signal } = new AbortController();

/** An indexed folder, and what updates it. */
async function updatesOf(changes: Partial<FileUpdatesContext> = {}) {
  const [store] = await stores.open(never);
  const parsers = new Parsers(MAX_BYTES);
  const context = { store: store!, parsers, embedder: undefined, ignore: [], maxBytes: MAX_BYTES, owner: 'this' };
  const indexer = new Indexer(context, () => undefined);
  const root = folderWith({ 'a.ts': '// A walrus.\n', 'b.ts': '// An otter.\n' });
  const space = await indexer.space({ root });
  await indexer.run(space, false, () => undefined, signal);
  const fill = vi.fn();
  const updates = new FileUpdates({ store: store!, parsers, ...changes }, { fill }, signal);
  const hashOf = async (file: string) => (await store!.source(space.number, file))?.hash;
  return { store: store!, space, root, updates, fill, hashOf };
}

test('files that have changed or are new are read again, and lack vectors then', async () => {
  const { space, root, updates, fill, hashOf } = await updatesOf();
  const before = await Promise.all(['a.ts', 'b.ts'].map(hashOf));
  writeFileSync(path.join(root, 'a.ts'), '// A seal, not a walrus.\n');
  writeFileSync(path.join(root, 'new.ts'), '// A new one.\n');
  await updates.update(space, ['a.ts', 'b.ts', 'new.ts']);
  const after = await Promise.all(['a.ts', 'b.ts'].map(hashOf));
  expect(after[0]).not.toBe(before[0]);
  expect(after[1]).toBe(before[1]);
  expect(await updates.known(space, ['new.ts', 'a.ts', 'none.ts'])).toEqual(new Set(['new.ts', 'a.ts']));
  expect(fill).toHaveBeenCalledExactlyOnceWith(space);
});

test('files that are as the index has them change nothing', async () => {
  const { space, updates, fill, hashOf } = await updatesOf();
  const before = await hashOf('a.ts');
  await updates.update(space, ['a.ts']);
  expect(await hashOf('a.ts')).toBe(before);
  expect(fill).not.toHaveBeenCalled();
});

test('files are written in the order in which they are read, also after a failure', async () => {
  const steps: string[] = [];
  const parsers: FileUpdatesContext['parsers'] = {
    async *prepare(_root, [file]) {
      steps.push(`read ${file!.path}`);
      await new Promise(setImmediate);
      if (file!.path === 'bad.ts') throw new Error('cannot be read');
      yield { kind: 'gone', path: file!.path };
      steps.push(`written ${file!.path}`);
    },
  };
  const { store, space, updates } = await updatesOf({ parsers });
  const write = (file: string) =>
    updates.write(space, [{ path: file, knownHash: '' }], new Writer(store, space, new Map()));
  const results = await Promise.allSettled(['bad.ts', 'a.ts', 'b.ts'].map(write));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(steps).toEqual(['read bad.ts', 'read a.ts', 'written a.ts', 'read b.ts', 'written b.ts']);
});
