import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentFor } from '../../../src/process/environment.ts';
import { LoginPath } from '../../../src/process/login-path.ts';
import { entryOf } from '../upstream/entries.ts';
import { onWindows } from './on-windows.ts';

const LONG = '/home/me/bin:/usr/bin';
const noShell = new LoginPath({});

const PASSED = `
  HOME USER LOGNAME SHELL TERM LANG LC_ALL LC_MESSAGES TZ TMPDIR XDG_CONFIG_HOME XDG_RUNTIME_DIR SSH_AUTH_SOCK DEVELOPER_DIR
  HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy SSL_CERT_FILE NODE_EXTRA_CA_CERTS`;
const HELD = `
  GATEWAY_SECRET GITHUB_TOKEN AWS_SECRET_ACCESS_KEY NODE_OPTIONS NODE_ENV LD_PRELOAD DYLD_INSERT_LIBRARIES VIADUCT_HOME
  Home MY_LC_ALL HOMEBREW_TOKEN`;

/** Variables of these names, each with a value of its own. */
const named = (names: string) =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, `of ${name}`]),
  );

let folder: string;
let shell: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'viaduct-env-'));
  shell = path.join(folder, 'shell');
  await writeFile(shell, '#!/bin/sh\nPATH=/home/me/bin:/usr/bin\neval "$2"\n');
  await chmod(shell, 0o755);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('a program gets', () => {
  test('what every program needs, and nothing else of the gateway: no secret', async () => {
    const passed = { PATH: LONG, ...named(PASSED) };
    const held = { ...named(HELD), '': 'x', path: '/evil' };
    expect(await environmentFor(entryOf(), { ...passed, ...held, UNSET: undefined }, noShell)).toEqual(passed);
  });

  test("the entry's own variables on top", async () => {
    const entry = entryOf({ env: { TOKEN: 'mine', HOME: '/other', EMPTY: '' } });
    expect(await environmentFor(entry, { PATH: LONG, HOME: '/home/me', TOKEN: 'theirs' }, noShell)).toEqual({
      PATH: LONG,
      HOME: '/other',
      TOKEN: 'mine',
      EMPTY: '',
    });
  });

  test('everything, where its entry says so', async () => {
    const entry = entryOf({ inheritEnv: true, env: { A: 'mine' } });
    const env = await environmentFor(
      entry,
      { PATH: LONG, GATEWAY_SECRET: 's', A: 'theirs', UNSET: undefined },
      noShell,
    );
    expect(env).toEqual({ PATH: LONG, GATEWAY_SECRET: 's', A: 'mine' });
  });
});

test('on Windows names are in capitals, so that none is there twice', async () => {
  onWindows();
  const gateway = { Path: 'C:\\Windows', SystemRoot: 'C:\\Windows', Secret: 's' };
  expect(await environmentFor(entryOf(), gateway, noShell)).toEqual({ PATH: 'C:\\Windows', SYSTEMROOT: 'C:\\Windows' });
  const env = await environmentFor(entryOf({ env: { path: 'D:\\bin' } }), gateway, noShell);
  expect(env.PATH).toBe('D:\\bin');
});

describe('PATH', () => {
  const pathFor = async (gateway: string | undefined, own?: string) => {
    const entry = entryOf(own === undefined ? {} : { env: { PATH: own } });
    const env = await environmentFor(
      entry,
      gateway === undefined ? {} : { PATH: gateway },
      new LoginPath({ SHELL: shell }),
    );
    return env.PATH;
  };

  test.each([
    ['a desktop started us, so the login shell is asked', '/usr/bin:/bin', undefined, '/home/me/bin:/usr/bin:/bin'],
    ['there is none', undefined, undefined, '/home/me/bin:/usr/bin'],
    ['a terminal started us', '/opt/x:/usr/bin', undefined, '/opt/x:/usr/bin'],
    ['the entry has one', '/usr/bin', '/mine', '/mine'],
  ])('%s', async (_name, gateway, own, expected) => expect(await pathFor(gateway, own)).toBe(expected));
});
