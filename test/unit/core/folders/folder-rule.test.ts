import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { admitted, openFolders } from '../../../../src/core/folders/folder-rule.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

/** `open/src` and `closed` beside each other, and links between them. */
function newScene() {
  const top = realpathSync(temporaryFolder());
  const open = path.join(top, 'open');
  const closed = path.join(top, 'closed');
  mkdirSync(path.join(open, 'src'), { recursive: true });
  mkdirSync(path.join(closed, 'deep'), { recursive: true });
  mkdirSync(path.join(top, 'open-not'));
  writeFileSync(path.join(open, 'file'), '');
  symlinkSync(closed, path.join(open, 'leak'));
  symlinkSync(path.join(closed, 'later'), path.join(open, 'dangling'));
  symlinkSync(open, path.join(top, 'way-in'));
  symlinkSync('round', path.join(open, 'round'));
  const refused: string[] = [];
  const rule = openFolders({ folders: () => [path.join(top, 'way-in')], onRefused: (place) => refused.push(place) });
  return { top, open, rule, refused };
}

test('an open folder and what is below it is admitted, by its real path', async () => {
  const { top, open, rule } = newScene();
  const src = path.join(open, 'src');
  for (const [place, real] of [
    [open, open],
    [src, src],
    [path.join(open, 'file'), path.join(open, 'file')],
    [path.join(top, 'way-in/src'), src],
    [`${top}/closed/../open/src`, src],
    [path.join(src, 'not/there/yet'), path.join(src, 'not/there/yet')],
  ] as const)
    expect([place, await rule.admit(place)]).toEqual([place, real]);
});

test('what lies elsewhere is not admitted, however it is spelt and whichever link leads to it', async () => {
  const { top, open, rule } = newScene();
  for (const place of [
    top,
    path.join(top, 'closed'),
    path.join(top, 'open-not'),
    `${open}/../closed`,
    path.join(open, 'leak'),
    path.join(open, 'leak/deep'),
    path.join(open, 'leak/not/there'),
    path.join(open, 'dangling'),
    path.join(open, 'dangling/below'),
    path.join(open, 'round'),
    'open',
    '',
    `${open}/\0`,
    '/',
    '/proc/self/cwd',
  ])
    expect([place, await rule.admit(place)]).toEqual([place, undefined]);
});

test('a refusal names the folder and the config key, and is noted', async () => {
  const { top, rule, refused } = newScene();
  const closed = path.join(top, 'closed');
  await expect(admitted(closed, rule)).rejects.toMatchObject({
    code: 'OUTSIDE_WORKSPACE',
    message: expect.stringMatching(/closed" is not open to clients that come over HTTP: .*workspace\.clientFolders/),
  });
  expect(refused).toEqual([closed]);
});

test('without a rule any folder is admitted as it is named', async () => {
  expect(await admitted('/anywhere/../else', undefined)).toBe('/anywhere/../else');
});

test('without open folders none is admitted', async () => {
  const rule = openFolders({ folders: () => [], onRefused: () => undefined });
  expect(await rule.admit('/')).toBeUndefined();
});
