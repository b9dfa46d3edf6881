import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ImpossibleError } from '../../../src/core/impossible-error.ts';
import { findCommand } from '../../../src/process/find-command.ts';
import { LoginPath } from '../../../src/process/login-path.ts';
import { entryOf } from '../upstream/entries.ts';
import { onWindows } from './on-windows.ts';

let root: string;
const at = (...parts: string[]) => path.join(root, ...parts);

async function program(file: string, mode = 0o755): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, '#!/bin/sh\n');
  await chmod(file, mode);
}

beforeAll(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'viaduct-find-')));
  await program(at('one', 'tool'));
  await program(at('two', 'tool'));
  await program(at('two', 'only two'));
  await program(at('two', 'back\\slash'));
  await program(at('login', 'from-login'));
  await program(at('one', 'plain'), 0o644);
  await program(at('two', 'plain'));
  await mkdir(at('one', 'folder'));
  await mkdir(at('work', 'bin'), { recursive: true });
  await program(at('work', 'bin', 'local'));
  await symlink(at('one', 'tool'), at('work', 'linked'));
  await symlink(at('nowhere'), at('work', 'dangling'));
  // A login shell that answers with a PATH of its own.
  await writeFile(at('shell'), `#!/bin/sh\nPATH='${at('login')}'\neval "$2"\n`);
  await chmod(at('shell'), 0o755);
});

afterAll(() => rm(root, { recursive: true, force: true }));

function find(command: string, folders: readonly string[], options: { cwd?: string; shell?: boolean } = {}) {
  const entry = entryOf({ command, cwd: options.cwd ?? at('work') });
  const env = { PATH: folders.join(':'), KEPT: 'yes' };
  return findCommand(entry, env, new LoginPath(options.shell === true ? { SHELL: at('shell') } : {}));
}

/** What is wrong, in words for the user. */
async function problemOf(finding: Promise<unknown>): Promise<string> {
  const error = await finding.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ImpossibleError);
  return (error as Error).message.replaceAll(root, '~');
}

describe('a command without a slash', () => {
  test('is the first program of that name in PATH', async () => {
    expect(await find('tool', [at('none'), at('two'), at('one')])).toEqual({
      file: at('two', 'tool'),
      env: { PATH: [at('none'), at('two'), at('one')].join(':'), KEPT: 'yes' },
    });
    expect(await find('only two', [at('one'), '', at('two')])).toMatchObject({ file: at('two', 'only two') });
    expect(await find('back\\slash', [at('two')])).toMatchObject({ file: at('two', 'back\\slash') });
  });

  test('is no file that may not be executed, and no folder', async () => {
    expect(await find('plain', [at('one'), at('two')])).toMatchObject({ file: at('two', 'plain') });
    expect(await problemOf(find('folder', [at('one')]))).toContain('command "folder" not found');
    expect(await problemOf(find('dangling', [at('work')]))).toContain('not found');
  });

  test('is looked for in the login shell too, whose PATH the program then gets', async () => {
    expect(await find('from-login', [at('one')], { shell: true })).toEqual({
      file: at('login', 'from-login'),
      env: { PATH: `${at('one')}:${at('login')}`, KEPT: 'yes' },
    });
  });

  test('that is nowhere is an error that names every folder searched, once', async () => {
    expect(await problemOf(find('nothing', [at('one'), at('two'), at('one')], { shell: true }))).toBe(
      'command "nothing" not found. Searched: ~/one, ~/two, ~/login. Install it, or give its full path as "command".',
    );
    expect(await problemOf(find('nothing', []))).toBe(
      'command "nothing" not found. Searched: (PATH is empty). Install it, or give its full path as "command".',
    );
  });

  test('in a folder of PATH that is not absolute is meant from the entry, whose folder it runs in', async () => {
    expect(await find('local', ['bin'])).toMatchObject({ file: at('work', 'bin', 'local') });
  });
});

describe('a command with a slash', () => {
  test.each([
    ['./bin/local', 'work/bin/local'],
    ['bin/local', 'work/bin/local'],
    ['../one/tool', 'one/tool'],
    ['./linked', 'work/linked'],
  ])('is a file, seen from the folder of the entry: %s', async (command, file) => {
    expect(await find(command, [at('one')])).toMatchObject({ file: at(file), env: { PATH: at('one') } });
  });

  test('may be absolute', async () => {
    expect(await find(at('two', 'tool'), [])).toMatchObject({ file: at('two', 'tool') });
  });

  test.each([
    ['../one/missing', 'command not found: there is no file "~/one/missing"'],
    ['./tool', 'command not found: there is no file "~/work/tool"'],
    ['./dangling', 'command not found: there is no file "~/work/dangling"'],
    ['../one/folder', 'the command "~/one/folder" is a folder, not a program'],
    ['./', 'the command "~/work" is a folder, not a program'],
    ['../one/plain', 'the command "~/one/plain" may not be executed (chmod +x, or check its owner)'],
  ])('%s: %s', async (command, problem) => {
    expect(await problemOf(find(command, [at('one')]))).toBe(problem);
  });
});

test('on Windows an ending may be left out, and what has one goes before what has none', async () => {
  onWindows();
  await program(at('win', 'npm'));
  await program(at('win', 'npm.CMD'));
  await program(at('win', 'script'));
  await program(at('win', 'my.tool'));
  await program(at('win', 'my.tool.EXE'));
  for (const [command, file] of [
    ['npm', 'npm.CMD'],
    ['npm.CMD', 'npm.CMD'],
    ['script', 'script'],
    ['my.tool', 'my.tool'],
    ['../win/npm', 'npm.CMD'],
  ] as const) {
    expect(await find(command, [at('win')])).toMatchObject({ file: at('win', file) });
  }
});

describe('the folder of an entry', () => {
  test.each([
    ['missing', 'the folder "~/missing" (cwd) does not exist'],
    ['one/tool', '"~/one/tool" (cwd) is not a folder'],
  ])('%s: %s', async (cwd, problem) => {
    expect(await problemOf(find('tool', [at('one')], { cwd: at(cwd) }))).toBe(problem);
  });
});
