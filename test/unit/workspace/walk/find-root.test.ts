import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findRoot } from '../../../../src/workspace/walk/find-root.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

function folders(...names: readonly string[]) {
  const base = realpathSync(temporaryFolder());
  for (const name of names) mkdirSync(path.join(base, name), { recursive: true });
  return { base, at: (...parts: readonly string[]) => path.join(base, ...parts) };
}

test('the root on the path is found, and the parts below it, whether they exist or not', async () => {
  const { at } = folders('one', 'two');
  const [one, two] = [
    { name: 'one', folder: at('one') },
    { name: 'two', folder: at('two') },
  ] as const;
  expect(await findRoot([one, two], at('two', 'folder', 'file'))).toEqual({ root: two, rest: ['folder', 'file'] });
  expect(await findRoot([one, two], at('one'))).toEqual({ root: one, rest: [] });
});

test('of roots in each other the outer one is found', async () => {
  const { at } = folders('outer/inner');
  const [inner, outer] = [
    { name: 'inner', folder: at('outer', 'inner') },
    { name: 'outer', folder: at('outer') },
  ];
  expect(await findRoot([inner!, outer!], at('outer', 'inner', 'file'))).toEqual({
    root: outer,
    rest: ['inner', 'file'],
  });
});

test('a root is found through a link before it', async () => {
  const { at } = folders('real/root');
  symlinkSync(at('real'), at('link'));
  const root = { folder: at('real', 'root') };
  expect(await findRoot([root], at('link', 'root', 'file'))).toEqual({ root, rest: ['file'] });
});

test('no root is found outside of them, nor behind ".." or a folder that is missing', async () => {
  const { base, at } = folders('root', 'other');
  const roots = [{ folder: at('root') }];
  expect(await findRoot(roots, at('other', 'file'))).toBeUndefined();
  expect(await findRoot(roots, `${base}/other/../root/file`)).toBeUndefined();
  expect(await findRoot(roots, `${base}/missing/../root/file`)).toBeUndefined();
  expect(await findRoot([{ folder: at('gone') }], at('gone', 'file'))).toBeUndefined();
});
