import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { entriesOf } from '../../../../src/workflows/files/tools/directory-entries.ts';
import { workspaceSetup } from '../../workspace/workspace-setup.ts';

test('of a folder with too many entries some are listed, and that is said', async () => {
  const { sandbox, root } = workspaceSetup();
  const list = async (size: number) => {
    const { entries, next } = await entriesOf(sandbox, '.', { size });
    return { count: entries.length, next };
  };
  for (const name of ['a', 'b', 'c']) writeFileSync(path.join(root, name), '');
  expect(await list(3)).toEqual({ count: 3, next: undefined });
  writeFileSync(path.join(root, 'd'), '');
  expect(await list(3)).toEqual({ count: 3, next: 'c' });
});

test('the pages of a folder have each entry once, in the order of names', async () => {
  const { sandbox, root } = workspaceSetup();
  const names = Array.from({ length: 50 }, (_, index) => `${(index * 37) % 50}`);
  for (const name of names) writeFileSync(path.join(root, name), name);
  const listed: { name: string; size: number }[] = [];
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const { entries, next } = await entriesOf(sandbox, '.', { after, size: 7 });
    listed.push(...entries.map(({ name, size }) => ({ name, size })));
    isLast = next === undefined;
    after = next;
  }
  expect(listed).toEqual(names.toSorted().map((name) => ({ name, size: name.length })));
});

test('an entry that is removed between two pages ends nothing', async () => {
  const { sandbox } = workspaceSetup();
  expect(await entriesOf(sandbox, '.', { after: 'gone' })).toEqual({ entries: [], next: undefined });
});
