import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { isShortPath, joinPaths, LoginPath } from '../../../src/process/login-path.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { isAlive } from '../../support/processes.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

/** A login shell that keeps a diary of how it was called; `start` is what its start files do, `end` comes after the script. */
async function shellWith(start: string, end = ''): Promise<string> {
  const shell = path.join(folder, 'shell');
  await writeFile(shell, `#!/bin/sh\necho "$1" >> '${folder}/diary'\n${start}\neval "$2"\n${end}\n`);
  await chmod(shell, 0o755);
  return shell;
}

const diary = async () => (await readFile(path.join(folder, 'diary'), 'utf8')).trimEnd().split('\n');

describe('the PATH of the login shell', () => {
  test('is asked for once, however many want it, and the shell is a login shell', async () => {
    const loginPath = new LoginPath({ SHELL: await shellWith('PATH="/from/profile:$PATH"'), PATH: '/given' });
    const answers = await Promise.all([loginPath.ask(), loginPath.ask()]);
    expect([...answers, await loginPath.ask()]).toEqual(Array.from({ length: 3 }, () => '/from/profile:/given'));
    expect(await diary()).toEqual(['-ilc']);
  });

  test('is found among whatever else start files print, and though the shell fails after it', async () => {
    const shell = await shellWith('echo "Welcome: $PATH"; echo oops >&2; PATH="/a b:/ü"', 'echo; echo Bye; exit 3');
    expect(await new LoginPath({ SHELL: shell }).ask()).toBe('/a b:/ü');
  });

  test('is not waited for by a shell that asks a question: its input is at its end', async () => {
    const shell = await shellWith('read answer; PATH="/after/$answer"');
    expect(await new LoginPath({ SHELL: shell }).ask()).toBe('/after/');
  });

  test.skipIf(process.platform !== 'linux')(
    'is asked in a session of its own: a shell never gets our terminal',
    async () => {
      const shell = await shellWith('read -r stat < /proc/$$/stat; set -- "$1" "$2" $stat; PATH="$8 of $3"');
      const [session, pid] = (await new LoginPath({ SHELL: shell }).ask())!.split(' of ');
      expect(session).toBe(pid);
    },
  );

  test('is undefined when the shell takes too long, which ends with what it has started', async () => {
    const shell = await shellWith(`sleep 1000 & echo $! >> '${folder}/diary'; echo $$ >> '${folder}/diary'; wait`);
    expect(await new LoginPath({ SHELL: shell, PATH: process.env.PATH }, 3_000).ask()).toBeUndefined();
    const pids = (await diary()).slice(1).map(Number);
    expect(pids).toHaveLength(2);
    for (const pid of pids) await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test('is known though a program that the shell has started keeps its output open', async () => {
    const shell = await shellWith(`sleep 1000 & echo $! >> '${folder}/diary'; PATH=/own`);
    const env = { SHELL: shell, PATH: process.env.PATH };
    expect(await new LoginPath(env).ask()).toBe('/own');
    const [, pid] = (await diary()).map(Number);
    expect(isAlive(pid!)).toBe(true);
    process.kill(pid!);
  });

  test.each([
    ['there is no shell', () => Promise.resolve({})],
    ['the shell is not there', () => Promise.resolve({ SHELL: path.join(folder, 'none') })],
    ['the shell ends before it is asked', async () => ({ SHELL: await shellWith('exit 0') })],
    ['the PATH is empty', async () => ({ SHELL: await shellWith('PATH=') })],
  ])('is undefined when %s', async (_name, env) => {
    expect(await new LoginPath(await env()).ask()).toBeUndefined();
  });
});

test.each([
  [undefined, true],
  ['', true],
  ['/usr/bin:/bin:/usr/sbin:/sbin', true],
  ['/usr/bin:', true],
  ['/usr/local/bin:/usr/bin', false],
  ['bin', false],
  ['/usr/bin/', false],
])('a PATH as a desktop gives it: %s %s', (value, expected) => expect(isShortPath(value)).toBe(expected));

test.each([
  ['/a:/b', '/b:/c', '/a:/b:/c'],
  [undefined, '/b', '/b'],
  ['/a', undefined, '/a'],
  [undefined, undefined, ''],
  [':/a::/a:', '', '/a'],
])('%s and %s join to %s', (first, second, joined) => expect(joinPaths(first, second)).toBe(joined));
