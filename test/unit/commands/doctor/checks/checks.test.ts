import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkConfigMode, checkHome } from '../../../../../src/commands/doctor/checks/file-checks.ts';
import { findLeftovers } from '../../../../../src/commands/doctor/checks/leftovers-check.ts';
import {
  checkDisk,
  checkLoginPath,
  checkNode,
  checkXcode,
} from '../../../../../src/commands/doctor/checks/system-checks.ts';
import type { UpstreamEntry } from '../../../../../src/core/settings/upstream-entry.ts';
import { LoginPath } from '../../../../../src/process/login-path.ts';
import { fakeXcode, temporaryFolder } from '../../../../support/gateway.ts';

test.each([
  ['20.19.0', 'ok'],
  ['24.0.1', 'ok'],
  ['20.18.3', 'fail'],
  ['18.20.0', 'fail'],
])('Node.js %s where >=20.19 is needed: %s', (version, mark) => {
  expect(checkNode(version, '>=20.19').mark).toBe(mark);
});

describe('the home folder', () => {
  test('of its own, open to others, not there, not a folder', async () => {
    const home = path.join(temporaryFolder(), 'home');
    expect(await checkHome(home)).toMatchObject({ mark: 'ok', text: expect.stringContaining('does not exist yet') });
    mkdirSync(home, { mode: 0o700 });
    expect(await checkHome(home)).toMatchObject({ mark: 'ok', text: expect.stringContaining('0700') });
    chmodSync(home, 0o755);
    expect(await checkHome(home)).toMatchObject({ mark: 'warn', fix: `chmod 700 ${home}` });
    const file = path.join(home, 'file');
    writeFileSync(file, '');
    expect(await checkHome(file)).toMatchObject({ mark: 'fail', text: expect.stringContaining('not a folder') });
  });

  test('with a space in its name is quoted in the command that closes it to others', async () => {
    const home = path.join(temporaryFolder(), 'my home');
    mkdirSync(home);
    chmodSync(home, 0o755);
    expect(await checkHome(home)).toMatchObject({ mark: 'warn', fix: `chmod 700 '${home}'` });
  });
});

describe('the mode of the config', () => {
  const TEXT = 'schemaVersion: 1\nupstreams:\n  a:\n    command: x\n    env:\n';

  function write(env: string, mode: number): string {
    const file = path.join(temporaryFolder(), 'viaduct.yaml');
    writeFileSync(file, `${TEXT}      ${env}\n`);
    chmodSync(file, mode);
    return file;
  }

  test.each([
    ['a value that others may read', 'TOKEN: swordfish', 0o644, 'warn'],
    ['a value that nobody else may read', 'TOKEN: swordfish', 0o600, 'ok'],
    ['a reference', 'TOKEN: ${TOKEN}', 0o644, 'ok'],
    ['a folder', 'HOME: /home/somebody', 0o644, 'ok'],
  ])('%s', async (_what, env, mode, mark) => {
    const file = write(env, mode);
    const check = await checkConfigMode(file);
    expect(check.mark).toBe(mark);
    expect(check.text).not.toContain('swordfish');
    if (mark === 'warn') expect(check.text).toContain('upstreams.a.env.TOKEN');
    expect(statSync(file).mode & 0o777).toBe(mode);
  });
});

test('the disk of a folder that is not there yet is that of the nearest one above', async () => {
  expect((await checkDisk(path.join(temporaryFolder(), 'a/b/c'))).text).toMatch(/^\d+ MiB free/);
});

test("folders that only the login shell's PATH has are told", async () => {
  const shell = path.join(temporaryFolder(), 'shell');
  writeFileSync(shell, '#!/bin/sh\nPATH="$PATH:/opt/only-there"; shift; eval "$1"\n');
  chmodSync(shell, 0o755);
  const env = { PATH: process.env.PATH, SHELL: shell };
  expect((await checkLoginPath(env, new LoginPath(env))).text).toContain('/opt/only-there');
  expect((await checkLoginPath({}, new LoginPath({}))).mark).toBe('skipped');
});

describe("Xcode's bridge", () => {
  test('on a Mac, there or missing, wanted or not; elsewhere it is skipped', async () => {
    const env = { PATH: fakeXcode().path };
    expect(await checkXcode(env, true, 'darwin')).toMatchObject({
      mark: 'ok',
      text: expect.stringContaining('mcpbridge'),
    });
    const none = { PATH: temporaryFolder() };
    expect(await checkXcode(none, true, 'darwin')).toMatchObject({ mark: 'fail', fix: expect.any(String) });
    expect(await checkXcode(none, false, 'darwin')).toMatchObject({ mark: 'skipped' });
    expect(await checkXcode(none, true, 'linux')).toEqual({
      name: 'xcode',
      mark: 'skipped',
      text: 'not macOS: skipped',
    });
  });
});

test('processes without a parent that look like upstreams are left over', () => {
  const entry = (key: string, command: string, ...args: string[]) =>
    ({ key, command, args }) as unknown as UpstreamEntry;
  const entries = [
    entry('a', 'node', './server.js', '--port', '1'),
    entry('b', 'sh'),
    entry('c', '/opt/bin/my-server'),
  ];
  const table = [
    '  10     1  1000 /usr/bin/node ./server.js --port 1',
    '  11     7  1000 /usr/bin/node ./server.js --port 1',
    '  12     1     0 /usr/bin/node ./server.js --port 1',
    '  13     1  1000 node ./server.js --port 2',
    '  14     1  1000 sh',
    '  15     1  1000 /opt/bin/my-server',
  ].join('\n');
  expect(findLeftovers(table, entries, 1000)).toEqual([
    { pid: 10, upstream: 'a' },
    { pid: 15, upstream: 'c' },
  ]);
});
