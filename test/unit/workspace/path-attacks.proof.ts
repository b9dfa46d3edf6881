import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { GatewayError } from '../../../src/core/errors.ts';
import { readBytes, withFile } from '../../../src/workspace/read-file.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { endChild } from '../../support/processes.ts';
import { GROUNDS, LONG_STEPS, workspaceSetup } from './workspace-setup.ts';

const SECRET = 'never to be seen';
/** Not every machine has it, so it is no dependency. */
const MAKE_PIPE = 'mkfifo';
const isWindows = process.platform === 'win32';

/** A root and, beside it, files that must not be touched. */
function newScene() {
  const base = realpathSync(temporaryFolder());
  const [root, outside] = [path.join(base, 'root'), path.join(base, 'outside')];
  for (const folder of [root, outside, path.join(root, 'in/deep'), path.join(outside, 'folder'), `${root}2`])
    mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(outside, 'secret'), SECRET);
  writeFileSync(path.join(`${root}2`, 'secret'), SECRET);
  writeFileSync(path.join(root, 'file'), 'inside');
  const links = {
    'to-outside': outside,
    'to-secret': path.join(outside, 'secret'),
    'to-nothing-outside': path.join(outside, 'made'),
    'up-relative': '../outside',
    'up-secret': '../outside/secret',
    'to-root-of-all': '/',
    'to-etc': '/etc',
    'to-sibling': `${root}2`,
    'to-proc': '/proc/self/root',
    'to-cwd': '/proc/self/cwd',
    'to-fd': '/proc/self/fd',
    around: `in/../../${path.basename(outside)}`,
    'chain-1': 'chain-2',
    'chain-2': 'chain-3/secret',
    'chain-3': 'up-relative',
    self: 'self',
    ping: 'pong',
    pong: 'ping',
    'in/deep/up': '../../../outside',
    'through-file': 'file/../../outside/secret',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(root, name));
  return { base, root, outside };
}

/** Paths that lead out, each in its own way. */
const LEADING_OUT: readonly (readonly [string, (scene: ReturnType<typeof newScene>) => string])[] = [
  ...[
    '..',
    '../',
    '../outside',
    '../outside/secret',
    './../outside/secret',
    'in/../../outside/secret',
    'in/deep/../../../outside/secret',
    'in/./.././../outside/secret',
    'in//..//..//outside//secret',
    '../root/file',
    '../root2/secret',
    '../../../../../../../../etc/passwd',
    'in/../../../../../../../../../etc/passwd',
    '/etc/passwd',
    '//etc/passwd',
    '///etc//passwd',
    '/',
    '/proc/self/environ',
    '/proc/self/root/etc/passwd',
    '/dev/null',
    'to-outside',
    'to-outside/',
    'to-outside/secret',
    'to-outside/made',
    'to-outside/folder/made/too',
    'to-outside/../outside/secret',
    'to-secret/.',
    'to-nothing-outside/x',
    'up-relative/secret',
    'up-relative/folder',
    'to-root-of-all/etc/passwd',
    'to-root-of-all/..',
    'to-etc/passwd',
    'to-etc/hosts',
    'to-sibling/secret',
    'to-proc/etc/passwd',
    'to-cwd/package.json',
    'to-fd/0',
    'to-fd/../environ',
    'around/secret',
    'around/../root/file',
    'chain-1/x',
    'chain-3/secret',
    'in/deep/up/secret',
    'in/deep/up/../outside/secret',
    'through-file/x',
    'self/x',
    'ping/x',
    'a\0b',
    'file\0',
    '\0',
    '',
    'in/\ud800',
    `${'x/'.repeat(2_100)}x`,
    'x'.repeat(256),
    `in/${'é'.repeat(128)}`,
    `in/${'x'.repeat(256)}/y`,
  ].map((text) => [JSON.stringify(text.slice(0, 60)), () => text] as const),
  ['an absolute path beside the root', ({ outside }) => path.join(outside, 'secret')],
  ['a root whose name begins the same', ({ root }) => `${root}2/secret`],
  ['an absolute path that goes up', ({ root }) => `${root}/../outside/secret`],
  ['an absolute path that goes up far', ({ root }) => `${root}/in/../../outside/secret`],
  ['an absolute path through a link', ({ root }) => `${root}/to-outside/secret`],
  ['an absolute path that asks for a folder outside first', ({ root }) => `/etc/..${root}/file`],
  ['the folder above', ({ base }) => base],
  ['the folder above, and down again', ({ base }) => `${base}/root2/../outside/secret`],
];

/** What means a way out to others, to a shell, a browser or another system, is a name like any other here. */
const NAMES_ONLY = [
  '．．',
  '‥',
  '․․',
  '..\u200b',
  '\u202e..',
  '.\u0307.',
  '．．／outside',
  '..∕outside',
  '..⁄outside',
  '..%2foutside',
  '%2e%2e',
  '%252e%252e%252foutside',
  '..%c0%afoutside',
  '..\\outside\\secret',
  '...',
  '.. ',
  ' ..',
  '..;',
  '..\n',
  '~',
  '~root',
  '$HOME',
  '$(echo ..)',
  'C:',
  'file:',
  '*',
  '-rf',
  'e\u0301',
];

/** What everything outside looks like. */
function lookAt({ base, root }: ReturnType<typeof newScene>): string[] {
  return filesIn(base, root).map((file) =>
    path.basename(file) === 'secret' ? `${file}: ${readFileSync(file, 'utf8')}` : file,
  );
}

/** All that is in a folder, but for what is in `left`. Links are not followed; some versions of Node.js would do so. */
function filesIn(folder: string, left: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() && file !== left ? [file, ...filesIn(file, left)] : [file];
    });
}

describe.each(GROUNDS)('with %s', (_name, ground) => {
  const setup = (root: string) => {
    const workspace = workspaceSetup({ ground, root });
    const read = (at: string) =>
      workspace.sandbox.at(at, { follow: true, intent: 'read' }, (place) =>
        withFile(place, async (handle) => (await readBytes(handle, 0, 100)).toString()),
      );
    return { ...workspace, read };
  };

  test.each(LEADING_OUT)('%s leads nowhere', async (_case, pathIn) => {
    const scene = newScene();
    const before = lookAt(scene);
    const { read, write, edit, remove, move, makeFolder, sandbox, store } = setup(scene.root);
    const bad = pathIn(scene);
    const attempts = [
      () => read(bad),
      () => write(bad, 'x'),
      () => edit(bad, () => 'x'),
      () => makeFolder(`${bad}/made`),
      () => move('file', `${bad}/moved`),
      () => move(`${bad}/secret`, 'stolen'),
      () => remove(`${bad}/secret`),
      () => sandbox.folder(bad),
    ];
    for (const attempt of attempts) {
      const outcome = await attempt().then(
        () => 'done',
        (error: unknown) => error,
      );
      expect(outcome).toBeInstanceOf(GatewayError);
      expect((outcome as GatewayError).code).toMatch(/^(?:OUTSIDE_WORKSPACE|FILE_FAILED)$/);
      expect((outcome as GatewayError).message).not.toContain(SECRET);
    }
    expect(lookAt(scene)).toEqual(before);
    expect(readFileSync(path.join(scene.root, 'file'), 'utf8')).toBe('inside');
    expect(await store.list({ limit: 10 })).toEqual([]);
  });

  test.each(['to-secret', 'up-secret', 'to-nothing-outside', 'chain-1', 'self', 'ping', 'in/deep/up'])(
    'the link %s is not followed; it can be moved and removed as a link, and brought back',
    async (link) => {
      const scene = newScene();
      const before = lookAt(scene);
      const { read, write, remove, move, undo, sandbox } = setup(scene.root);
      await expect(read(link)).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' });
      await expect(write(link, 'x')).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' });
      await expect(sandbox.folder(link)).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' });
      await move(link, 'moved-link');
      await remove('moved-link');
      await write('moved-link', 'a file now');
      for (let count = 0; count < 3; count++) expect((await undo()).skipped).toEqual([]);
      await expect(read(link)).rejects.toMatchObject({ code: 'OUTSIDE_WORKSPACE' });
      expect(lookAt(scene)).toEqual(before);
    },
  );

  test.skipIf(isWindows).each(NAMES_ONLY.map((name) => [JSON.stringify(name), name]))(
    '%s is the name of a file, and of a folder',
    async (_case, name) => {
      const scene = newScene();
      const before = lookAt(scene);
      const { read, write, remove, move } = setup(scene.root);
      await write(name, 'inside');
      expect(readFileSync(path.join(scene.root, name), 'utf8')).toBe('inside');
      expect(await read(name)).toBe('inside');
      await remove(name);
      await write(`in/${name}/secret`, 'inside');
      expect(readdirSync(path.join(scene.root, 'in'))).toContain(name.split('/')[0]);
      await move(`in/${name}/secret`, name);
      expect(await read(name)).toBe('inside');
      expect(lookAt(scene)).toEqual(before);
    },
  );

  test('a path goes so deep that calls at the same time leave something to open, and no deeper', async () => {
    const { makeFolder, remove } = workspaceSetup({ ground });
    const deep = (count: number) => Array.from({ length: count }, () => 'd').join('/');
    await makeFolder(deep(128));
    await expect(makeFolder(deep(129))).rejects.toMatchObject({ message: expect.stringContaining('128 folders deep') });
    await expect(remove(deep(129))).rejects.toMatchObject({ message: expect.stringContaining('128 folders deep') });
    await remove(deep(128));
  });

  test('links that stay inside are followed, absolute ones too', async () => {
    const { root } = newScene();
    symlinkSync('../file', path.join(root, 'in/relative'));
    symlinkSync(path.join(root, 'in'), path.join(root, 'absolute'));
    const { read, write } = setup(root);
    expect(await read('in/relative')).toBe('inside');
    expect(await read('absolute/relative')).toBe('inside');
    expect(await read(path.join(root, 'file'))).toBe('inside');
    await write('absolute/deep/new', 'new');
    expect(readFileSync(path.join(root, 'in/deep/new'), 'utf8')).toBe('new');
    await write('in/relative', 'changed');
    expect(readFileSync(path.join(root, 'file'), 'utf8')).toBe('changed');
  });

  test('a hard link is read, and what is written never reaches its other name', async () => {
    const scene = newScene();
    linkSync(path.join(scene.outside, 'secret'), path.join(scene.root, 'hard'));
    const before = lookAt(scene);
    const { read, write, edit, undo } = setup(scene.root);
    expect(await read('hard')).toBe(SECRET);
    await edit('hard', (text) => `${text}!`);
    await write('hard', 'other');
    expect(lookAt(scene)).toEqual(before);
    await undo();
    await undo();
    expect(lookAt(scene)).toEqual(before);
  });

  test.skipIf(isWindows)('pipes, sockets and devices are left alone, and nobody waits for them', async () => {
    const { root } = newScene();
    execFileSync(MAKE_PIPE, [path.join(root, 'pipe')]);
    const server = net.createServer().listen(path.join(root, 'socket'));
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { read, write, remove, move } = setup(root);
    for (const name of ['pipe', 'socket']) {
      const reason = { code: 'FILE_FAILED', message: expect.stringContaining('pipe, socket or device') };
      await expect(read(name)).rejects.toMatchObject(reason);
      await expect(write(name, 'x')).rejects.toMatchObject(reason);
      await expect(remove(name)).rejects.toMatchObject(reason);
      await expect(move(name, 'x')).rejects.toMatchObject(reason);
    }
  });
});

/**
 * Puts a link to the outside where the folder `gate` was, and back, as fast as it can; meanwhile the link `door` leads in
 * and out.
 */
const SWAPPER = `
  const { renameSync, symlinkSync } = require('node:fs');
  const [root, outside] = process.argv.slice(1);
  const at = (name) => root + '/' + name;
  process.stdout.write('swapping');
  for (;;) {
    renameSync(at('gate'), at('kept'));
    renameSync(at('trap'), at('gate'));
    symlinkSync(outside, at('next'));
    renameSync(at('next'), at('door'));
    renameSync(at('gate'), at('trap'));
    renameSync(at('kept'), at('gate'));
    symlinkSync('room', at('next'));
    renameSync(at('next'), at('door'));
  }
`;
const AT_ONCE = 8;

test.runIf(GROUNDS.length > 1)(
  'a second process that swaps a folder for a link never gets anybody out',
  async () => {
    const scene = newScene();
    const { root, outside } = scene;
    mkdirSync(path.join(root, 'gate'));
    mkdirSync(path.join(root, 'room'));
    symlinkSync('room', path.join(root, 'door'));
    for (const folder of ['gate', 'room']) writeFileSync(path.join(root, folder, 'marker'), 'inside');
    writeFileSync(path.join(root, 'gate/one'), 'inside');
    for (const name of ['marker', 'one']) writeFileSync(path.join(outside, name), SECRET);
    symlinkSync(outside, path.join(root, 'trap'));
    const before = [...lookAt(scene), readFileSync(path.join(outside, 'marker'), 'utf8')];
    const swapper = spawn(process.execPath, ['-e', SWAPPER, root, outside], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => endChild(swapper, 'SIGKILL'));
    await once(swapper.stdout, 'data');
    const { sandbox, write, remove, makeFolder, move } = workspaceSetup({ root });
    const counts = { done: 0, refused: 0 };
    const read = (at: string) => async () => {
      const content = await sandbox.at(at, { follow: true, intent: 'read' }, (place) =>
        withFile(place, async (handle) => (await readBytes(handle, 0, 100)).toString()),
      );
      expect(content).toBe('inside');
    };
    const list = (at: string) => async () => {
      const folder = await sandbox.folder(at);
      expect(readdirSync(folder.cwd)).not.toContain('secret');
      await folder.close();
    };
    const operations: readonly ((count: number) => Promise<unknown>)[] = [
      ...Array.from({ length: 6 }, () => [read('gate/marker'), read('door/marker')]).flat(),
      ...Array.from({ length: 2 }, () => [list('gate'), list('door')]).flat(),
      () => move('gate/one', 'gate/two'),
      () => move('gate/two', 'gate/one'),
      (count) => write(`door/new-${count % 7}`, `${count}`),
      (count) => makeFolder(`door/folder-${count % 5}`),
      (count) => remove(`door/new-${count % 7}`),
      (count) => move(`door/new-${count % 7}`, 'door/moved'),
    ];
    let next = 0;
    const work = async () => {
      while (next < LONG_STEPS) {
        const count = next++;
        try {
          await operations[count % operations.length]!(count);
          counts.done++;
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          counts.refused++;
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(swapper.exitCode).toBe(null);
    swapper.kill('SIGKILL');
    await once(swapper, 'close');
    expect([...lookAt(scene), readFileSync(path.join(outside, 'marker'), 'utf8')]).toEqual(before);
    expect(counts.done + counts.refused).toBe(LONG_STEPS);
    expect(counts.done).toBeGreaterThan(100);
    expect(counts.refused).toBeGreaterThan(100);
  },
  300_000,
);
