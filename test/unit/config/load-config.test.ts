import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/config/findings/config-error.ts';
import { parseConfig } from '../../../src/config/load.ts';
import type { Config } from '../../../src/config/schema.ts';
import { digestOf, readConfigFile } from '../../../src/config/source/config-file.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { OPTIONS } from './parse-text.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder, 'viaduct.yaml');
});

async function loadConfig(path: string, options: typeof OPTIONS): Promise<Config> {
  const { text } = await readConfigFile(path);
  return parseConfig(text, { ...options, path });
}

async function errorOf(path: string): Promise<ConfigError> {
  const error: unknown = await loadConfig(path, OPTIONS).catch((thrown: unknown) => thrown);
  if (error instanceof ConfigError) return error;
  throw new Error('No ConfigError', { cause: error });
}

describe('a config file', () => {
  test('reads a file; relative folders mean those beside it', async () => {
    await writeFile(file, 'schemaVersion: 1\nupstreams: { a: { command: x, cwd: sub } }');
    expect((await loadConfig(file, OPTIONS)).upstreams[0]?.cwd).toBe(join(folder, 'sub'));
  });

  test('of a symbolic link, the folder is that of the link', async () => {
    await mkdir(join(folder, 'real'));
    await writeFile(join(folder, 'real', 'config.yaml'), 'schemaVersion: 1\nupstreams: { a: { command: x } }');
    await symlink(join('real', 'config.yaml'), file);
    expect((await loadConfig(file, OPTIONS)).upstreams[0]?.cwd).toBe(folder);
  });

  test('what is wrong is told of the file by its absolute path', async () => {
    await writeFile(file, 'foo');
    const error = await errorOf(file);
    expect([error.path, error.message]).toEqual([file, `${file}:1:1  must be a mapping (key: value), not text`]);
  });

  test('a file that is not there: says where it looked and how to begin', async () => {
    expect((await errorOf(file)).format()).toBe(`${file}  there is no config file here
    looked for:
      ${file}
    \`viaduct config path\` shows which file is used, \`viaduct init\` writes one. A config that works:
      schemaVersion: 1
      upstreams:
        everything:
          command: npx
          args: [-y, '@modelcontextprotocol/server-everything']`);
  });

  test('a file in place of a folder', async () => {
    await writeFile(file, '');
    expect((await errorOf(join(file, 'config.yaml'))).issues[0]?.message).toBe('there is no config file here');
  });

  test('a folder', async () => {
    expect((await errorOf(folder)).format('viaduct')).toBe('viaduct  this is a folder\n    name the file in it');
  });

  test.skipIf(process.platform === 'win32')('a socket', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(file, resolve));
    expect((await errorOf(file)).issues).toMatchObject([{ line: 0, column: 0, message: 'this is not a regular file' }]);
    await new Promise((resolve) => server.close(resolve));
  });

  // Root may read everything.
  test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('a file that may not be read', async () => {
    await writeFile(file, 'schemaVersion: 1');
    await chmod(file, 0);
    expect((await errorOf(file)).issues).toMatchObject([{ line: 0, message: 'the file may not be read' }]);
  });

  test('a path that no file can have', async () => {
    const error = await errorOf(join(folder, 'x'.repeat(5000)));
    expect(error.issues).toMatchObject([{ line: 0, message: 'the file cannot be read (ENAMETOOLONG)' }]);
    expect(error.cause).toMatchObject({ code: 'ENAMETOOLONG' });
  });

  test('a file of 1 MiB is read, a larger one is not', async () => {
    const text = 'schemaVersion: 1 # '.padEnd(1024 * 1024, 'x');
    await writeFile(file, text);
    expect((await loadConfig(file, OPTIONS)).schemaVersion).toBe(1);
    await writeFile(file, `${text}x`);
    expect((await errorOf(file)).issues).toMatchObject([
      { line: 0, message: 'the file has 1048577 bytes; a config has at most 1 MiB' },
    ]);
  });

  test.each([
    ['a byte that is no UTF-8', Buffer.from('a: 1\nb: ä\nc: \xe4\nd: \xff', 'latin1'), 2, 4],
    ['such a byte after others that are', Buffer.concat([Buffer.from('a: ä\nb: ü'), Buffer.from([0xff])]), 2, 5],
    ['a character that is cut off', Buffer.from('a: ä').subarray(0, -1), 1, 4],
  ])('%s', async (_name, bytes, line, column) => {
    await writeFile(file, bytes);
    expect((await errorOf(file)).issues).toEqual([
      { line, column, jsonPath: '', message: 'a byte that is not UTF-8', hint: 'save the file as UTF-8' },
    ]);
  });

  test('UTF-16, as PowerShell writes it', async () => {
    await writeFile(file, Buffer.from('\uFEFFschemaVersion: 1', 'utf16le'));
    expect((await errorOf(file)).issues).toMatchObject([{ line: 1, column: 1, message: 'the file is UTF-16' }]);
  });

  test('UTF-8 with a byte order mark', async () => {
    await writeFile(file, '\uFEFFschemaVersion: 1\nlog: { level: debug }');
    expect((await loadConfig(file, OPTIONS)).log.level).toBe('debug');
  });

  test('is read with the SHA-256 of its bytes, and the owner and mode of what a link leads to', async () => {
    const bytes = Buffer.from('\uFEFFschemaVersion: 1 # ä\n');
    await writeFile(file, bytes, { mode: 0o640 });
    const link = join(folder, 'link.yaml');
    await symlink(file, link);
    const { text, sha256, facts } = await readConfigFile(link);
    expect(Buffer.from(text)).toEqual(bytes);
    expect(sha256).toBe(digestOf(bytes));
    expect(sha256).toBe(digestOf(text));
    expect([facts.uid, facts.mode & 0o777]).toEqual([process.getuid?.(), 0o640]);
  });
});
