import { writeFileSync } from 'node:fs';
import { chmod, chown, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { editFile } from '../../../../src/commands/user-files/edit-file.ts';
import { ownStamp, stampText } from '../../../../src/core/processes/process-stamp.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
});

describe('a file of the user', () => {
  test('is made with its folders', async () => {
    const file = path.join(folder, 'a', 'b', 'c.json');
    expect(await editFile(file, () => 'text')).toBe('written');
    expect(await readFile(file, 'utf8')).toBe('text');
    expect(await readdir(path.dirname(file))).toEqual(['c.json']);
  });

  test('keeps its rights', async () => {
    const file = path.join(folder, 'f');
    for (const mode of [0o600, 0o664]) {
      await writeFile(file, 'old');
      await chmod(file, mode);
      await editFile(file, (text) => `${text} new`);
      expect(await readFile(file, 'utf8')).toBe('old new');
      expect((await stat(file)).mode & 0o777).toBe(mode);
    }
  });

  test.skipIf(process.getuid?.() !== 0)('keeps its owner when root edits it', async () => {
    const file = path.join(folder, 'f');
    await writeFile(file, 'old', { mode: 0o640 });
    await chown(file, 1234, 2345);
    await editFile(file, () => 'new');
    expect(await stat(file)).toMatchObject({ uid: 1234, gid: 2345 });
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  test('is not removed when another program has written it meanwhile', async () => {
    const file = path.join(folder, 'f');
    await writeFile(file, 'ours');
    const edit = (text: string | undefined) => {
      if (text === 'ours') writeFileSync(file, 'theirs');
      return text === 'ours' ? undefined : text;
    };
    expect(await editFile(file, edit)).toBe('unchanged');
    expect(await readFile(file, 'utf8')).toBe('theirs');
  });

  test('loses the draft that an edit has left beside it that was killed, and no other file', async () => {
    const file = path.join(folder, 'f');
    const killed = stampText({ ...ownStamp(), startedAt: '1', pid: 2 ** 22 + 1 });
    for (const name of ['f', 'f.draft', `g.${killed}-00000000.draft`, `f.${killed}-00000000.draft`])
      await writeFile(path.join(folder, name), 'old');
    await editFile(file, () => 'new');
    expect((await readdir(folder)).sort()).toEqual(['f', 'f.draft', `g.${killed}-00000000.draft`]);
  });

  test('stays where a link leads to', async () => {
    await mkdir(path.join(folder, 'dotfiles'));
    const real = path.join(folder, 'dotfiles', 'f');
    const link = path.join(folder, 'f');
    await writeFile(real, 'old');
    await symlink(real, link);
    await editFile(link, () => 'new');
    expect(await readFile(real, 'utf8')).toBe('new');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  test('is made where a link leads to, though nothing is there yet', async () => {
    const link = path.join(folder, 'f');
    await symlink('dotfiles/f', link);
    await editFile(link, () => 'new');
    expect(await readFile(path.join(folder, 'dotfiles', 'f'), 'utf8')).toBe('new');
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });

  test('is not written where nothing changes', async () => {
    const file = path.join(folder, 'f');
    await writeFile(file, 'same');
    expect(await editFile(file, (text) => text)).toBe('unchanged');
    expect(await editFile(path.join(folder, 'none'), () => undefined)).toBe('unchanged');
  });

  test('goes when nothing is left of it', async () => {
    const file = path.join(folder, 'f');
    await writeFile(file, 'ours');
    expect(await editFile(file, () => undefined)).toBe('removed');
    expect(await readdir(folder)).toEqual([]);
  });

  test('is edited anew when another program has written it meanwhile', async () => {
    const file = path.join(folder, 'f');
    await writeFile(file, 'one');
    let isFirst = true;
    await editFile(file, (text) => {
      if (isFirst) writeFileSync(file, 'two');
      isFirst = false;
      return `${text} and ours`;
    });
    expect(await readFile(file, 'utf8')).toBe('two and ours');
  });

  test('that is no UTF-8 is left as it is', async () => {
    const file = path.join(folder, 'f');
    await writeFile(file, Buffer.from([0x66, 0xff]));
    await expect(editFile(file, () => 'x')).rejects.toThrow(TypeError);
    expect(await readFile(file)).toEqual(Buffer.from([0x66, 0xff]));
  });
});
