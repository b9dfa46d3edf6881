import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findDocuments } from '../../../../../src/workflows/rag/ingest/find-documents.ts';
import { failed } from '../../../../../src/workspace/failures.ts';
import type { Guard } from '../../../../../src/workspace/protection/guard.ts';
import { groundHere, Sandbox } from '../../../../../src/workspace/sandbox.ts';
import { temporaryFolder } from '../../../../support/gateway.ts';

const { signal } = new AbortController();
const OPEN = { check: () => Promise.resolve(), closedFolders: () => Promise.resolve([]) } as unknown as Guard;

function folderWith(...files: string[]): string {
  const folder = temporaryFolder();
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), 'x');
  }
  return folder;
}

test('in several roots, paths begin with the names of the roots', async () => {
  const roots = [
    { name: 'one', folder: folderWith('a.md', 'deep/b.PDF') },
    { name: 'two', folder: folderWith('c.txt', 'd.go', '.md') },
  ];
  const sandbox = new Sandbox(roots, await groundHere(), OPEN);
  expect(await findDocuments(sandbox, '.', signal)).toEqual({
    isFolder: true,
    paths: ['one/a.md', 'one/deep/b.PDF', 'two/c.txt'],
    errors: [],
  });
  expect(await findDocuments(sandbox, 'one/deep', signal)).toMatchObject({ paths: ['one/deep/b.PDF'] });
  expect(await findDocuments(sandbox, 'two/d.go', signal)).toEqual({
    isFolder: false,
    paths: ['two/d.go'],
    errors: [],
  });
});

test('a folder that may not be read is named, and the others are read', async () => {
  const guard = {
    ...OPEN,
    check: (place: { shown: string }) =>
      place.shown === 'closed' ? Promise.reject(failed('closed', 'no permission')) : Promise.resolve(),
  } as unknown as Guard;
  const sandbox = new Sandbox([{ folder: folderWith('closed/a.md', 'open/b.md') }], await groundHere(), guard);
  expect(await findDocuments(sandbox, '.', signal)).toEqual({
    isFolder: true,
    paths: ['open/b.md'],
    errors: ['"closed": no permission'],
  });
  await expect(findDocuments(sandbox, 'closed', signal)).rejects.toThrow('no permission');
});

test('a cancelled call looks no further', async () => {
  const sandbox = new Sandbox([{ folder: folderWith('a.md') }], await groundHere(), OPEN);
  await expect(findDocuments(sandbox, '.', AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});
