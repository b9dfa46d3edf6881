import { linkSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { writeFile } from '../../../../src/workspace/mutations.ts';
import { Protection } from '../../../../src/workspace/protection/protection.ts';
import { VERSION_CONTROL } from '../../../../src/workspace/protection/version-control.ts';
import { Sandbox } from '../../../../src/workspace/sandbox.ts';
import { GROUNDS } from '../workspace-setup.ts';
import { protectedScene, type SceneOptions, treeOf } from './protection-setup.ts';

const CONFIG = 'the config';
const HOME = 'the home';

describe.each(GROUNDS)('with %s', (_name, ground) => {
  const scene = (options: Partial<SceneOptions> = {}) =>
    protectedScene({
      ground,
      files: { 'ws/conf/viaduct.yaml': 'config', 'ws/state/token': 'secret', 'ws/evil': 'evil', 'ws/other/x': 'x' },
      rules: (base) => ({
        paths: [
          { path: path.join(base, 'ws/conf/viaduct.yaml'), what: CONFIG },
          { path: path.join(base, 'ws/state'), what: HOME, isSecret: true },
          { path: path.join(base, 'ws/new/deep/viaduct.yaml'), what: 'a config to come' },
        ],
      }),
      ...options,
    });

  test('a protected file is not written, edited, removed, moved or replaced, and can be read', async () => {
    const { refuses, read, write, edit, remove, move } = scene();
    const words = /is protected: it is the config; tools do not change it: do it by hand$/;
    await refuses(write('conf/viaduct.yaml', 'evil'), words);
    await refuses(write('conf/../conf/./viaduct.yaml', 'evil'), words);
    await refuses(
      edit('conf/viaduct.yaml', () => 'evil'),
      words,
    );
    await refuses(remove('conf/viaduct.yaml'), words);
    await refuses(move('conf/viaduct.yaml', 'elsewhere'), words);
    await refuses(move('evil', 'conf/viaduct.yaml'), words);
    expect(await read('conf/viaduct.yaml')).toBe('config');
  });

  test('the folders that it is in are not moved, and nothing takes their place', async () => {
    const { refuses, move, write, base } = scene();
    await refuses(move('conf', 'elsewhere'), /it leads to the config/);
    await refuses(move('other', 'conf'));
    await write('conf/other.txt', 'fine');
    expect(readFileSync(path.join(base, 'ws/conf/other.txt'), 'utf8')).toBe('fine');
  });

  test('a file that is not there yet is not made, whichever way', async () => {
    const { refuses, write, makeFolder, move, put, base } = scene();
    await refuses(write('new/deep/viaduct.yaml', 'evil'), /a config to come/);
    await refuses(write('new/deep/viaduct.yaml/x', 'evil'));
    await refuses(makeFolder('new/deep/viaduct.yaml'));
    put('ws/tree/deep/viaduct.yaml', 'evil');
    put('ws/branch/viaduct.yaml', 'evil');
    await refuses(move('tree', 'new'), /leads to a config to come/);
    await makeFolder('new');
    await refuses(move('branch', 'new/deep'));
    await refuses(move('branch/viaduct.yaml', 'new/deep'));
    await makeFolder('new/deep');
    await refuses(move('branch/viaduct.yaml', 'new/deep/viaduct.yaml'));
    await write('new/deep/other', 'fine');
    expect(readFileSync(path.join(base, 'ws/new/deep/other'), 'utf8')).toBe('fine');
  });

  test('in another spelling, as file systems without capitals take it, it is not made either', async () => {
    const { refuses, write } = scene();
    for (const spelling of [
      'New/Deep/VIADUCT.yaml',
      'new/deep/viaduct.YAML',
      'new/deep/v\u0131aduct.yaml',
      'new/de\u200cep/viaduct.yaml',
    ])
      await refuses(write(spelling, 'evil'));
  });

  test('a folder that is not read is not looked into, and nothing tells what is in it', async () => {
    const { refuses, read, write, sandbox, move, remove, makeFolder } = scene();
    const words = /leads into the home; tools neither read nor change it/;
    for (const place of ['state', 'state/token', 'state/nothing', 'state/nothing/at/all', 'other/../state/token']) {
      await refuses(read(place), words);
      await refuses(sandbox.folder(place), words);
      await refuses(write(place, 'evil'), words);
      await refuses(remove(place), words);
      await refuses(move(place, 'elsewhere'), words);
      await refuses(move('evil', place), words);
      await refuses(makeFolder(place), words);
    }
  });

  test('a workspace in such a folder has nothing in it', async () => {
    const { refuses, read, write, sandbox } = scene({ root: 'ws/state' });
    await refuses(read('token'), /it is in the home/);
    await refuses(write('new', 'evil'));
    await refuses(sandbox.folder('.'));
  });

  test('symbolic links lead to what is protected no more than paths do', async () => {
    const { refuses, read, write, move, at, sandbox } = scene();
    symlinkSync('conf', at('ws/to-conf'));
    symlinkSync('conf/viaduct.yaml', at('ws/to-config'));
    symlinkSync(at('ws/state'), at('ws/to-state'));
    symlinkSync('state/token', at('ws/to-token'));
    await refuses(write('to-conf/viaduct.yaml', 'evil'));
    await refuses(write('to-config', 'evil'));
    await refuses(move('evil', 'to-conf/viaduct.yaml'));
    await refuses(read('to-state/token'));
    await refuses(read('to-token'));
    await refuses(sandbox.folder('to-state'));
    // The link itself is no part of it.
    await move('to-config', 'moved');
  });

  test('a config that is a link is protected with all links and folders on the way', async () => {
    const { refuses, write, remove, move, at, undo, put } = scene({
      files: { 'ws/real/viaduct.yaml': 'config', 'ws/evil/viaduct.yaml': 'evil' },
    });
    symlinkSync('middle', at('ws/conf'));
    symlinkSync(at('ws/real'), at('ws/middle'));
    await refuses(write('real/viaduct.yaml', 'evil'));
    await refuses(write('conf/viaduct.yaml', 'evil'));
    for (const name of ['conf', 'middle']) {
      await refuses(remove(name), /leads to the config/);
      await refuses(move(name, 'elsewhere'));
      await refuses(move('evil', name));
    }
    await refuses(move('real', 'elsewhere'));
    // A link that leads nowhere yet.
    symlinkSync('later', at('ws/new'));
    put('ws/tree/deep/viaduct.yaml', 'evil');
    await refuses(move('tree', 'later'));
    await refuses(write('later/deep/viaduct.yaml', 'evil'));
    await refuses(remove('new'));
    expect((await undo()).restored).toEqual([]);
  });

  test('a hard link is what it is a link to', async () => {
    const { refuses, read, write, move, remove, at } = scene();
    linkSync(at('ws/conf/viaduct.yaml'), at('ws/other/config'));
    linkSync(at('ws/state/token'), at('ws/other/token'));
    linkSync(at('ws/other/x'), at('ws/other/y'));
    await refuses(write('other/config', 'evil'), /it is the config/);
    await refuses(move('other/config', 'z'));
    await refuses(remove('other/config'));
    expect(await read('other/config')).toBe('config');
    await refuses(read('other/token'), /it is in the home/);
    await refuses(write('other/token', 'evil'));
    expect(await read('other/y')).toBe('x');
    await write('other/y', 'fine');
  });

  test.each(['write', 'remove a link', 'move'] as const)(
    'what an agent has done before is not undone where that would change what is protected: %s',
    async (kind) => {
      const paths: { path: string; what: string }[] = [];
      const { undo, write, remove, move, at, base } = scene({
        rules: () => ({ paths }),
        files: { 'ws/a/config': 'config' },
      });
      symlinkSync('a', at('ws/link'));
      const work = {
        write: () => write('a/config', 'evil'),
        'remove a link': () => remove('link'),
        move: () => move('a', 'b'),
      };
      await work[kind]();
      paths.push({ path: at(kind === 'remove a link' ? 'ws/link/config' : 'ws/a/config'), what: CONFIG });
      const before = treeOf(base);
      for (const force of [false, true]) {
        const { restored, skipped } = await undo({ last: true }, force);
        expect([restored, skipped]).toMatchObject([[], [{ reason: expect.stringContaining('is protected: it') }]]);
      }
      expect(treeOf(base)).toEqual(before);
    },
  );

  test('a word that may be a path counts while a file is there', async () => {
    const { refuses, write, move, base } = scene({
      files: { 'ws/tools/server.js': 'server' },
      rules: (at) => ({
        paths: ['tools/server.js', 'serve', 'tools'].map((name) => ({
          path: path.join(at, 'ws', name),
          what: 'a file of an upstream',
          onlyIfFile: true,
          canBeLifted: true,
        })),
      }),
    });
    await refuses(write('tools/server.js', 'evil'), /or name it in workspace\.unprotected of the config$/);
    await refuses(move('tools', 'elsewhere'));
    await write('serve', 'fine');
    await refuses(write('serve', 'evil'));
    await write('tools/other.js', 'fine');
    expect(readFileSync(path.join(base, 'ws/tools/other.js'), 'utf8')).toBe('fine');
  });

  test('what the config lifts may be changed, but never what cannot be lifted', async () => {
    const { refuses, write, move } = scene({
      files: { 'ws/.git/hooks/x': '', 'ws/.git/config': '' },
      rules: (base) => ({
        paths: [{ path: path.join(base, 'ws/.git/config'), what: CONFIG }],
        unprotected: ['.git/*'],
      }),
    });
    await write('.git/hooks/pre-commit', 'fine');
    await move('.git/hooks/pre-commit', '.git/hooks/post-commit');
    await refuses(write('.git/config', 'evil'), /the config/);
    await refuses(move('.git', 'elsewhere'));
  });
});

test('of several roots, the globs that lift something begin with the name of one', async () => {
  const [, ground] = GROUNDS[0]!;
  const { base, changes } = protectedScene({ ground });
  const roots = ['app', 'docs'].map((name) => ({ name, folder: path.join(base, name) }));
  for (const { folder } of roots) mkdirSync(folder);
  const rules = { paths: [], names: VERSION_CONTROL, gitConfigs: [], userHome: base, unprotected: ['app/.husky/*'] };
  const sandbox = new Sandbox(roots, ground, new Protection(rules));
  const write = (name: string) =>
    writeFile(changes, { sandbox, path: name, origin: { session: 's', tool: 't' } }, () => ({
      bytes: Buffer.from(''),
      result: undefined,
    }));
  await write('app/.husky/pre-commit');
  await expect(write('docs/.husky/pre-commit')).rejects.toMatchObject({ code: 'PATH_PROTECTED' });
});
