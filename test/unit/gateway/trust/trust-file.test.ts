import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { addTrust, readTrust, removeTrust, trustFile, trustOf } from '../../../../src/gateway/trust/trust-file.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

let home: string;
let folder: string;

beforeEach(() => {
  home = path.join(temporaryFolder(), 'home');
  folder = temporaryFolder();
});

const configIn = (place: string, sha256: string) => ({ path: path.join(place, 'viaduct.yaml'), sha256 });

describe('trust in the config of a folder', () => {
  test('is in one content of one file', async () => {
    expect(await trustOf(home, configIn(folder, 'a'))).toBe('untrusted');
    await addTrust(home, configIn(folder, 'a'));
    expect(await trustOf(home, configIn(folder, 'a'))).toBe('trusted');
    expect(await trustOf(home, configIn(folder, 'b'))).toBe('changed');
    expect(await trustOf(home, { path: path.join(folder, '.viaduct/config.yaml'), sha256: 'a' })).toBe('untrusted');
    await addTrust(home, configIn(folder, 'b'));
    expect(await trustOf(home, configIn(folder, 'a'))).toBe('changed');
    expect(await readTrust(home)).toHaveLength(1);
  });

  test('is taken back', async () => {
    const config = configIn(folder, 'a');
    await addTrust(home, config);
    expect(await removeTrust(home, [config.path, '/no/such/viaduct.yaml'])).toEqual([config.path]);
    expect(await removeTrust(home, [config.path])).toEqual([]);
    expect(await trustOf(home, config)).toBe('untrusted');
  });

  test('is kept where only this user can read it, and nothing else is left behind', async () => {
    await addTrust(home, configIn(folder, 'a'));
    expect(statSync(trustFile(home)).mode & 0o777).toBe(0o600);
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(readdirSync(home)).toEqual([path.basename(trustFile(home))]);
  });

  test('nothing is written where there is nothing to take back', async () => {
    expect(await removeTrust(home, [path.join(folder, 'viaduct.yaml')])).toEqual([]);
    expect(readdirSync(home)).toEqual([]);
  });

  test('of one command is not lost to another that says so at the same time', async () => {
    const folders = Array.from({ length: 20 }, (_, index) => path.join(folder, String(index)));
    await Promise.all(folders.map((place) => addTrust(home, configIn(place, 'a'))));
    expect((await readTrust(home)).map(({ path: file }) => file).sort()).toEqual(
      folders.map((place) => configIn(place, 'a').path).sort(),
    );
  });

  test('holds for a folder by whatever name it is reached', async () => {
    const link = path.join(temporaryFolder(), 'link');
    symlinkSync(folder, link);
    await addTrust(home, configIn(link, 'a'));
    expect(await trustOf(home, configIn(folder, 'a'))).toBe('trusted');
  });

  test('does not go over to a repository that links to a config which is trusted elsewhere', async () => {
    mkdirSync(path.join(folder, '.viaduct'));
    const config = { path: path.join(folder, '.viaduct/config.yaml'), sha256: 'a' };
    writeFileSync(config.path, '');
    await addTrust(home, config);
    const hostile = temporaryFolder();
    symlinkSync(path.join(folder, '.viaduct'), path.join(hostile, '.viaduct'));
    expect(await trustOf(home, { ...config, path: path.join(hostile, '.viaduct/config.yaml') })).toBe('untrusted');
  });
});

describe('a file of trusted configs', () => {
  test.each(['', '{', '[]', '{"version":2,"configs":[]}', '{"version":1,"configs":[{"path":"/p"}]}'])(
    'with %j in it is no reason to trust anything, nor to lose what it said',
    async (text) => {
      mkdirSync(home);
      writeFileSync(trustFile(home), text);
      await expect(trustOf(home, configIn(folder, 'a'))).rejects.toThrow(`${trustFile(home)}  this file is damaged`);
      await expect(addTrust(home, configIn(folder, 'a'))).rejects.toThrow('damaged');
      expect(readFileSync(trustFile(home), 'utf8')).toBe(text);
    },
  );

  test.skipIf(process.platform === 'win32')('that other users can change is not believed', async () => {
    await addTrust(home, configIn(folder, 'a'));
    chmodSync(trustFile(home), 0o666);
    await expect(trustOf(home, configIn(folder, 'a'))).rejects.toThrow('other users may change it (mode 0666)');
  });
});
