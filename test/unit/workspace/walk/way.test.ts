import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Ground } from '../../../../src/workspace/ground/ground.ts';
import { Way } from '../../../../src/workspace/walk/way.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { GROUNDS } from '../workspace-setup.ts';

/** A way on a ground, with the paths of the folders that it holds. */
function wayOn(ground: Ground) {
  const folder = realpathSync(temporaryFolder());
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'file'), '');
  const closed: string[] = [];
  const noting: Ground = {
    open: async (place) => noteClose(await ground.open(place), path.basename(place)),
    async enter(parent, name) {
      const found = await ground.enter(parent, name);
      return found.kind === 'folder' ? { ...found, folder: noteClose(found.folder, name) } : found;
    },
  };
  function noteClose(held: Awaited<ReturnType<Ground['open']>>, name: string) {
    const close = held.close.bind(held);
    return Object.assign(held, { close: () => close().then(() => void closed.push(name)) });
  }
  const way = new Way(noting);
  onTestFinished(() => way.close());
  return { way, root: { name: 'project', folder }, closed };
}

describe.each(GROUNDS)('on %s', (_, ground) => {
  test('the way begins above the roots, and is one folder longer with each that is entered', async () => {
    const { way, root } = wayOn(ground);
    expect(way).toMatchObject({ depth: 0, here: undefined, root: undefined });
    await way.enterRoot(root);
    expect(way).toMatchObject({ depth: 1, root });
    const found = await way.enter(way.here!, 'src');
    expect(found.kind).toBe('folder');
    expect(way.depth).toBe(2);
    expect(await way.here!.realPath()).toBe(path.join(root.folder, 'src'));
  });

  test('what is no folder is told, and the way stays as it is', async () => {
    const { way, root } = wayOn(ground);
    await way.enterRoot(root);
    for (const [name, kind] of [
      ['file', 'other'],
      ['gone', 'missing'],
    ] as const)
      expect(await way.enter(way.here!, name)).toEqual({ kind });
    expect(way.depth).toBe(1);
  });

  test('going back lets go of the folder, and above the root of the root', async () => {
    const { way, root, closed } = wayOn(ground);
    await way.enterRoot(root);
    await way.enter(way.here!, 'src');
    await way.back();
    expect(closed).toEqual(['src']);
    expect(way).toMatchObject({ depth: 1, root });
    await way.back();
    expect(closed).toEqual(['src', path.basename(root.folder)]);
    expect(way).toMatchObject({ depth: 0, root: undefined });
  });

  test('a place has the folders of the way, and what is left of the path', async () => {
    const { way, root } = wayOn(ground);
    await way.enterRoot(root);
    await way.enter(way.here!, 'src');
    expect(way.place([])).toMatchObject({ shown: 'project/src', folder: way.here, lacking: [] });
    const place = way.place(['new', 'file']);
    expect(place).toMatchObject({ shown: 'project/src/new/file', folder: undefined, lacking: ['new'] });
    expect(place.parent).toBe(way.here);
  });

  test('a root that cannot be opened is named', async () => {
    const { way, root } = wayOn(ground);
    const gone = path.join(root.folder, 'gone');
    await expect(way.enterRoot({ name: 'lost', folder: gone })).rejects.toMatchObject({
      code: 'FILE_FAILED',
      message: expect.stringContaining(`The root "lost" of the workspace, ${gone}, cannot be opened (ENOENT)`),
    });
  });
});
