import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ownStamp, stampText } from '../../../../../src/core/processes/process-stamp.ts';
import { openKnowledgeStore } from '../../../../../src/store/knowledge/open-knowledge-store.ts';
import { thisMachine } from '../../../../../src/store/this-machine.ts';
import { folderWith, knowledgeIn } from '../../../../support/knowledge/knowledge.ts';
import { sourceOf } from '../../../../support/knowledge/knowledge-store.ts';

const FILES = {
  '.gitignore': '*.log\n',
  'src/lines.ts': '// Trims a line: a walrus.\n',
  'srcx/other.py': '# Parses a header.\n',
  'docs/guide.md': '# Guide\n\nA walrus swims.\n',
};
const places = knowledgeIn('SQLite');

/** An index of a folder that was searched, so that changes in it are told. */
async function watched(files: Readonly<Record<string, string>> = FILES) {
  const root = folderWith(files);
  const place = await places.newPlace(() => {
    throw new Error('SQLite is always there');
  });
  const knowledge = places.open(place);
  await knowledge.index(root, {});
  const found = async (query: string) =>
    (await knowledge.search({ query, spaces: [root], limit: 10 })).results.map(({ filePath }) => filePath);
  await found('walrus');
  return {
    root,
    place,
    knowledge,
    found,
    write: (file: string, text: string) => writeFileSync(path.join(root, file), text),
  };
}

test('is told of changes in a folder that was removed and came back', async () => {
  const { root, found, write } = await watched();
  rmSync(path.join(root, 'srcx'), { recursive: true });
  await expect.poll(() => found('header')).toEqual([]);
  mkdirSync(path.join(root, 'srcx'));
  write('srcx/other.py', '# An aardwolf.\n');
  await expect.poll(() => found('aardwolf')).toEqual(['srcx/other.py']);
  write('srcx/other.py', '# A bandicoot.\n');
  await expect.poll(() => found('bandicoot')).toEqual(['srcx/other.py']);
});

test('is told of files in folders that were empty', async () => {
  const { root, found, write } = await watched();
  mkdirSync(path.join(root, 'new/deep'), { recursive: true });
  write('first.ts', '// A quokka.\n');
  await expect.poll(() => found('quokka')).toEqual(['first.ts']);
  write('new/deep/file.ts', '// A manatee.\n');
  await expect.poll(() => found('manatee')).toEqual(['new/deep/file.ts']);
});

test('finds a file that was there for a moment before', async () => {
  const { root, found, write } = await watched();
  write('moment.ts', '// Gone at once.\n');
  rmSync(path.join(root, 'moment.ts'));
  write('first.ts', '// A quokka.\n');
  await expect.poll(() => found('quokka')).toEqual(['first.ts']);
  write('moment.ts', '// A pangolin.\n');
  await expect.poll(() => found('pangolin')).toEqual(['moment.ts']);
});

test('leaves out what is ignored from now on', async () => {
  const { root, found } = await watched();
  appendFileSync(path.join(root, '.gitignore'), 'docs/\n');
  await expect.poll(() => found('walrus')).toEqual(['src/lines.ts']);
});

test('finds what has changed during a run', async () => {
  const many = Array.from({ length: 1_500 }, (_, at) => [`many/file-${at}.ts`, `export const value${at} = ${at};\n`]);
  const { root, knowledge, found, write } = await watched({ ...FILES, ...Object.fromEntries(many) });
  let isWritten = false;
  await knowledge.index(root, {
    force: true,
    onProgress: ({ isCounted }) => {
      if (!isCounted || isWritten) return;
      isWritten = true;
      write('late.ts', '// An okapi.\n');
    },
  });
  expect(isWritten).toBe(true);
  await expect.poll(() => found('okapi')).toEqual(['late.ts']);
});

test('finds what has changed during a run of another gateway', async () => {
  const { root, place, found, write } = await watched();
  const store = await openKnowledgeStore({ home: place.home, machine: thisMachine(place.home).id });
  try {
    const owner = `${stampText(ownStamp())} other`;
    const space = (await store.spaces.at('repository', root))!;
    await store.runs.take(space.number, owner, () => false);
    write('src/lines.ts', '// A narwhal.\n');
    await expect.poll(() => found('narwhal')).toEqual(['src/lines.ts']);
    // That gateway has read it before.
    await store.write(space, [sourceOf('src/lines.ts', '// Trims a line.')]);
    await store.runs.end(space.number, owner);
    await expect.poll(() => found('narwhal')).toEqual(['src/lines.ts']);
  } finally {
    await store.close();
  }
});

test('finds what has changed after another gateway has made the index anew', async () => {
  const { root, place, found, write } = await watched();
  const other = places.open(place);
  await other.forget(root);
  await other.index(root, {});
  await found('walrus');
  write('late.ts', '// An okapi.\n');
  await expect.poll(() => found('okapi')).toEqual(['late.ts']);
});
