import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/config/config-error.ts';
import { configCandidates, findConfig, type SearchOptions } from '../../../src/config/find.ts';
import { temporaryFolder } from '../../support/gateway.ts';

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

const find = (options: Partial<SearchOptions> = {}) => findConfig({ env: {}, cwd, home, ...options });

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
      tried: [
        join(cwd, 'viaduct.yaml'),
        join(cwd, '.viaduct', 'config.yaml'),
        join(home, '.config', 'viaduct', 'config.yaml'),
      ],
    });
  });

  test('each place wins over those after it', async () => {
    const inHome = await write(join(home, '.config', 'viaduct', 'config.yaml'));
    expect(await find()).toEqual({ found: true, path: inHome });
    const hidden = await write(join(cwd, '.viaduct', 'config.yaml'));
    expect(await find()).toEqual({ found: true, path: hidden });
    const visible = await write(join(cwd, 'viaduct.yaml'));
    expect(await find()).toEqual({ found: true, path: visible });
    const byVariable = await write(join(root, 'variable.yaml'));
    const env = { VIADUCT_CONFIG: byVariable };
    expect(await find({ env })).toEqual({ found: true, path: byVariable });
    const byFlag = await write(join(root, 'flag.yaml'));
    expect(await find({ env, flag: byFlag })).toEqual({ found: true, path: byFlag });
  });

  test('XDG_CONFIG_HOME takes the place of ~/.config', async () => {
    await write(join(home, '.config', 'viaduct', 'config.yaml'));
    const path = await write(join(root, 'xdg', 'viaduct', 'config.yaml'));
    expect(await find({ env: { XDG_CONFIG_HOME: join(root, 'xdg') } })).toEqual({ found: true, path });
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

  test('what is there but no file is found: to pass it over would be a surprise', async () => {
    await mkdir(join(cwd, 'viaduct.yaml'));
    expect(await find()).toEqual({ found: true, path: join(cwd, 'viaduct.yaml') });
  });

  test('so is what cannot be looked at', async () => {
    await symlink('viaduct.yaml', join(cwd, 'viaduct.yaml')); // ELOOP
    expect(await find()).toEqual({ found: true, path: join(cwd, 'viaduct.yaml') });
  });

  test('a file in place of a folder on the way is nothing there', async () => {
    await write(join(cwd, '.viaduct'));
    expect(await find()).toMatchObject({ found: false });
  });
});
