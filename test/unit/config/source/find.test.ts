import { chmod, chown, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../../src/config/findings/config-error.ts';
import { digestOf } from '../../../../src/config/source/config-file.ts';
import {
  configCandidates,
  type FoundConfig,
  findConfig,
  type SearchOptions,
  workingFolderOf,
} from '../../../../src/config/source/find.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

let root: string;
let cwd: string;
let home: string;

beforeEach(async () => {
  root = temporaryFolder();
  cwd = join(root, 'project');
  home = join(root, 'home');
  await mkdir(cwd);
  await mkdir(home);
});

async function write(path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, 'schemaVersion: 1');
  return path;
}

async function folderIn(folder: string, name: string): Promise<string> {
  await mkdir(join(folder, name));
  return join(folder, name);
}

const TRUSTED: SearchOptions['trustOf'] = async () => 'trusted';

const find = (options: Partial<SearchOptions> = {}) => findConfig({ env: {}, cwd, home, trustOf: TRUSTED, ...options });

const pathOf = (found: FoundConfig): string | undefined => (found.found ? found.file.path : undefined);

describe('configCandidates', () => {
  const paths = (options: Partial<SearchOptions>): string[] =>
    configCandidates({ env: {}, cwd: '/p', home: '/h', ...options }).map(({ path }) => path);
  const DEFAULTS = ['/p/viaduct.yaml', '/p/.viaduct/config.yaml', '/h/.config/viaduct/config.yaml'];

  test.each<[string, Partial<SearchOptions>, string[]]>([
    ['nothing named', {}, DEFAULTS],
    ['a flag', { flag: 'x.yaml' }, ['/p/x.yaml']],
    ['an absolute flag', { flag: '/x.yaml' }, ['/x.yaml']],
    ['a variable', { env: { VIADUCT_CONFIG: 'sub/x.yaml' } }, ['/p/sub/x.yaml']],
    ['a variable with ~', { env: { VIADUCT_CONFIG: '~/x.yaml' } }, ['/h/x.yaml']],
    ['an empty variable', { env: { VIADUCT_CONFIG: '' } }, DEFAULTS],
    ['both', { flag: 'x.yaml', env: { VIADUCT_CONFIG: 'y.yaml' } }, ['/p/x.yaml']],
    ['XDG_CONFIG_HOME', { env: { XDG_CONFIG_HOME: '/xdg' } }, [...DEFAULTS.slice(0, 2), '/xdg/viaduct/config.yaml']],
    ['a relative XDG_CONFIG_HOME is ignored', { env: { XDG_CONFIG_HOME: 'xdg' } }, DEFAULTS],
  ])('%s', (_name, options, expected) => {
    expect(paths(options)).toEqual(expected);
  });
});

describe('findConfig', () => {
  test('nothing is there: tells what was tried', async () => {
    expect(await find()).toEqual({
      found: false,
      passedOver: [],
      tried: [
        join(cwd, 'viaduct.yaml'),
        join(cwd, '.viaduct', 'config.yaml'),
        join(home, '.config', 'viaduct', 'config.yaml'),
      ],
    });
  });

  test('each place wins over those after it', async () => {
    const inHome = await write(join(home, '.config', 'viaduct', 'config.yaml'));
    expect(pathOf(await find())).toBe(inHome);
    const hidden = await write(join(cwd, '.viaduct', 'config.yaml'));
    expect(pathOf(await find())).toBe(hidden);
    const visible = await write(join(cwd, 'viaduct.yaml'));
    expect(pathOf(await find())).toBe(visible);
    const byVariable = await write(join(root, 'variable.yaml'));
    const env = { VIADUCT_CONFIG: byVariable };
    expect(pathOf(await find({ env }))).toBe(byVariable);
    const byFlag = await write(join(root, 'flag.yaml'));
    expect(pathOf(await find({ env, flag: byFlag }))).toBe(byFlag);
  });

  test('XDG_CONFIG_HOME takes the place of ~/.config', async () => {
    await write(join(home, '.config', 'viaduct', 'config.yaml'));
    const path = await write(join(root, 'xdg', 'viaduct', 'config.yaml'));
    expect(pathOf(await find({ env: { XDG_CONFIG_HOME: join(root, 'xdg') } }))).toBe(path);
  });

  test.each<[string, () => Partial<SearchOptions>]>([
    ['--config', () => ({ flag: 'nope.yaml' })],
    ['$VIADUCT_CONFIG', () => ({ env: { VIADUCT_CONFIG: 'nope.yaml' } })],
  ])('a file named by %s that is not there is an error, though another would be there', async (_name, options) => {
    await write(join(cwd, 'viaduct.yaml'));
    const error: unknown = await find(options()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      path: join(cwd, 'nope.yaml'),
      issues: [{ message: 'there is no config file here' }],
    });
  });

  test('what is there but cannot be read is an error where it is the user’s own, and told where a folder has it', async () => {
    await mkdir(join(cwd, 'viaduct.yaml'));
    await symlink('config.yaml', join(await folderIn(cwd, '.viaduct'), 'config.yaml')); // ELOOP
    const own = await write(join(home, '.config', 'viaduct', 'config.yaml'));
    const found = await find();
    expect(pathOf(found)).toBe(own);
    expect(found.passedOver).toMatchObject([
      { path: join(cwd, 'viaduct.yaml'), reason: { message: expect.stringContaining('this is a folder') } },
      { path: join(cwd, '.viaduct', 'config.yaml'), reason: { message: expect.stringContaining('ELOOP') } },
    ]);
    await rm(own);
    await mkdir(own);
    await expect(find()).rejects.toThrow('this is a folder');
  });

  test('a file in place of a folder on the way is nothing there', async () => {
    await write(join(cwd, '.viaduct'));
    expect(await find()).toMatchObject({ found: false });
  });
});

describe('a config in the working folder', () => {
  const places = ['viaduct.yaml', join('.viaduct', 'config.yaml')];

  test.each(places)('%s is used only when it is trusted with what it says now', async (name) => {
    const planted = await write(join(cwd, name));
    const own = await write(join(home, '.config', 'viaduct', 'config.yaml'));
    for (const reason of ['untrusted', 'changed'] as const) {
      const found = await find({ trustOf: async () => reason });
      expect(found).toMatchObject({ scope: 'user', passedOver: [{ path: planted, reason }] });
      expect(pathOf(found)).toBe(own);
    }
    const asked: unknown[] = [];
    const found = await find({
      trustOf: async ({ path, sha256 }) => {
        asked.push([path, sha256]);
        return 'trusted';
      },
    });
    expect(found).toMatchObject({ scope: 'folder', passedOver: [], file: { path: planted } });
    expect(asked).toEqual([[planted, digestOf('schemaVersion: 1')]]);
  });

  test('that is not trusted does not keep one that is trusted from being used', async () => {
    const [first, second] = await Promise.all(places.map((name) => write(join(cwd, name))));
    const found = await find({ trustOf: async ({ path }) => (path === second ? 'trusted' : 'untrusted') });
    expect(pathOf(found)).toBe(second);
    expect(found.passedOver).toEqual([{ path: first, reason: 'untrusted' }]);
  });

  test('needs no trust where the user names it', async () => {
    const trustOf = () => Promise.reject(new Error('nobody is to be asked'));
    const planted = await write(join(cwd, 'viaduct.yaml'));
    expect(await find({ flag: 'viaduct.yaml', trustOf })).toMatchObject({ scope: 'named', file: { path: planted } });
    expect(await find({ env: { VIADUCT_CONFIG: planted }, trustOf })).toMatchObject({ scope: 'named' });
  });

  test.each([
    ['/p/viaduct.yaml', '/p'],
    ['/p/.viaduct/config.yaml', '/p'],
    ['/viaduct.yaml', '/'],
    ['/p/.viaduct/viaduct.yaml', '/p/.viaduct'],
    ['/p/config.yaml', undefined],
    ['/p/other.yaml', undefined],
  ])('%s is found in %s', (path, folder) => {
    expect(workingFolderOf(path)).toBe(folder);
  });
});

describe.skipIf(process.platform === 'win32')('a config that other users can change', () => {
  const refused = (message: string) => ({ message: expect.stringContaining(message) });

  test('is refused where it is named or the user’s own, and passed over in a folder', async () => {
    const planted = await write(join(cwd, 'viaduct.yaml'));
    const own = await write(join(home, '.config', 'viaduct', 'config.yaml'));
    await chmod(planted, 0o646);
    await expect(find({ flag: planted })).rejects.toMatchObject(refused('other users may change it (mode 0646)'));
    expect((await find()).passedOver).toMatchObject([{ path: planted, reason: refused('mode 0646') }]);
    await chmod(own, 0o666);
    const error: unknown = await find().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).format()).toContain(`To correct it: chmod go-w ${own}`);
  });

  test('is what a link leads to, not the link', async () => {
    const target = await write(join(root, 'target.yaml'));
    await symlink(target, join(cwd, 'link.yaml'));
    expect(await find({ flag: 'link.yaml' })).toMatchObject({ found: true });
    await chmod(target, 0o666);
    await expect(find({ flag: 'link.yaml' })).rejects.toMatchObject(refused('mode 0666'));
  });

  test('by its folder is refused unless it is named; a sticky folder lets nobody replace it', async () => {
    const own = await write(join(home, '.config', 'viaduct', 'config.yaml'));
    await chmod(dirname(own), 0o777);
    await expect(find()).rejects.toMatchObject(refused(`the folder ${dirname(own)} is not yours alone`));
    expect(await find({ flag: own })).toMatchObject({ found: true });
    await chmod(dirname(own), 0o1777);
    expect(await find()).toMatchObject({ scope: 'user' });
  });

  test('by the folder of what a link leads to is refused as well', async () => {
    const target = await write(join(root, 'open', 'target.yaml'));
    const own = join(home, '.config', 'viaduct', 'config.yaml');
    await mkdir(dirname(own), { recursive: true });
    await symlink(target, own);
    await chmod(dirname(target), 0o777);
    await expect(find()).rejects.toMatchObject(refused(dirname(target)));
  });

  test.runIf(process.getuid?.() === 0)('because it belongs to them is refused', async () => {
    const planted = await write(join(cwd, 'viaduct.yaml'));
    await chown(planted, 4711, 4711);
    await expect(find({ flag: planted })).rejects.toMatchObject(refused('it belongs to another user (uid 4711)'));
  });
});
