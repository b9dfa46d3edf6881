import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { writeFile } from '../../../src/workspace/mutations.ts';
import { hashOf } from '../../../src/workspace/snapshot.ts';
import { GROUNDS, workspaceSetup } from './workspace-setup.ts';

describe.each(GROUNDS)('with %s', (_name, ground) => {
  const scene = (limits?: { changes: number; megabytes: number; fileMegabytes: number }) => {
    const workspace = workspaceSetup({ ground, ...(limits && { limits }) });
    const at = (name: string) => path.join(workspace.root, name);
    return { ...workspace, at, text: (name: string) => readFileSync(at(name), 'utf8') };
  };

  test('a file comes back as it was, its mode too', async () => {
    const { write, undo, at, text } = scene();
    const bytes = Buffer.from([0, 1, 2, 0xff, 0xfe]);
    writeFileSync(at('bin'), bytes);
    chmodSync(at('bin'), 0o750);
    await write('bin', 'text');
    expect(statSync(at('bin')).mode & 0o777).toBe(0o750);
    expect(text('bin')).toBe('text');
    await undo();
    expect(readFileSync(at('bin'))).toEqual(bytes);
    expect(statSync(at('bin')).mode & 0o777).toBe(0o750);
  });

  test('folders that were made for a file go with it, but for those that others use by now', async () => {
    const { write, undo, at } = scene();
    await write('a/b/c.txt', 'c');
    expect((await undo()).restored).toMatchObject([{ notes: [] }]);
    expect(existsSync(at('a'))).toBe(false);
    await write('a/b/c.txt', 'c');
    writeFileSync(at('a/mine'), 'mine');
    const { restored, skipped } = await undo();
    expect([restored, skipped]).toMatchObject([[{ notes: [expect.stringContaining('stays')] }], []]);
    expect(readdirSync(at('a'))).toEqual(['mine']);
  });

  test('what was changed since stays, with the reason, unless it is forced', async () => {
    const { write, remove, undo, at, text } = scene();
    await write('a', 'tool');
    writeFileSync(at('a'), 'hand');
    expect((await undo()).skipped).toMatchObject([{ reason: expect.stringContaining('changed since') }]);
    expect(text('a')).toBe('hand');
    await undo({ last: true }, true);
    expect(existsSync(at('a'))).toBe(false);
    writeFileSync(at('b'), 'b');
    await remove('b');
    writeFileSync(at('b'), 'again');
    expect((await undo()).skipped).toHaveLength(1);
    await undo({ last: true }, true);
    expect(text('b')).toBe('b');
  });

  test('an undo can be undone, and that as well', async () => {
    const { write, undo, store, text, at } = scene();
    writeFileSync(at('a'), 'one');
    await write('a', 'two');
    await undo();
    for (const expected of ['two', 'one', 'two']) {
      const [newest] = await store.list({ limit: 1 });
      expect((await undo({ change: newest!.id })).skipped).toEqual([]);
      expect(text('a')).toBe(expected);
    }
  });

  test('all of a session is undone, also where no more than that is kept', async () => {
    const { write, undo, at, text } = scene({ changes: 6, megabytes: 1, fileMegabytes: 1 });
    writeFileSync(at('a'), '0');
    for (const content of ['1', '2', '3', '4', '5']) await write('a', content, 'one');
    const { restored, skipped } = await undo({ session: 'one', last: false });
    expect([restored.length, skipped, text('a')]).toEqual([5, [], '0']);
  });

  test('a single change that is kept can be undone', async () => {
    const { write, undo, at, text } = scene({ changes: 1, megabytes: 1, fileMegabytes: 1 });
    writeFileSync(at('a'), '0');
    await write('a', '1');
    expect((await undo()).skipped).toEqual([]);
    expect(text('a')).toBe('0');
  });

  test('a folder that somebody uses by now stays, and the reason names it', async () => {
    const { makeFolder, undo, at } = scene();
    await makeFolder('new');
    writeFileSync(at('new/mine'), 'mine');
    expect((await undo()).skipped).toMatchObject([{ reason: `"${at('new')}": the folder is not empty (ENOTEMPTY)` }]);
    expect(readdirSync(at('new'))).toEqual(['mine']);
  });

  test.runIf(process.getuid?.() === 0)('a file stays whose it is, when written and when brought back', async () => {
    const { write, undo, at } = scene();
    const owner = () => [statSync(at('a')).uid, statSync(at('a')).gid];
    writeFileSync(at('a'), 'a');
    chownSync(at('a'), 4_321, 1_234);
    await write('a', 'b');
    expect(owner()).toEqual([4_321, 1_234]);
    await undo();
    expect(owner()).toEqual([4_321, 1_234]);
  });

  test('a forced undo keeps what it took away', async () => {
    const { write, undo, store, text, at } = scene();
    await write('a', 'tool');
    writeFileSync(at('a'), 'hand');
    await undo({ last: true }, true);
    const [newest] = await store.list({ limit: 1 });
    await undo({ change: newest!.id });
    expect(text('a')).toBe('hand');
  });

  test('a file that a rename replaced comes back', async () => {
    const { move, undo, store, at, text } = scene();
    writeFileSync(at('a'), 'a');
    writeFileSync(at('b'), 'b');
    await move('a', 'b');
    expect([existsSync(at('a')), text('b')]).toEqual([false, 'a']);
    expect((await undo()).restored).toMatchObject([{ notes: [] }]);
    expect([text('a'), text('b')]).toEqual(['a', 'b']);
    const [newest] = await store.list({ limit: 1 });
    await undo({ change: newest!.id });
    expect([existsSync(at('a')), text('b')]).toEqual([false, 'a']);
    const [redo] = await store.list({ limit: 1 });
    await undo({ change: redo!.id });
    expect([text('a'), text('b')]).toEqual(['a', 'b']);
  });

  test('all of a session goes, and nothing of another one', async () => {
    const { write, makeFolder, move, undo, at, text } = scene();
    writeFileSync(at('a'), 'a');
    await write('a', 'mine', 'one');
    await write('b', 'theirs', 'two');
    await makeFolder('folder', 'one');
    await move('a', 'folder/a', 'one');
    const { restored, skipped } = await undo({ session: 'one', last: false });
    expect([restored.length, skipped]).toEqual([3, []]);
    expect([text('a'), text('b'), existsSync(at('folder'))]).toEqual(['a', 'theirs', false]);
    expect((await undo({ session: 'one', last: false })).restored).toEqual([]);
  });

  test('a link comes back as a link', async () => {
    const { remove, undo, at, text } = scene();
    writeFileSync(at('a'), 'a');
    symlinkSync('a', at('link'));
    await remove('link');
    expect([existsSync(at('link')), text('a')]).toEqual([false, 'a']);
    await undo();
    expect(text('link')).toBe('a');
  });

  test('a change that was noted and never made is forgotten', async () => {
    const { store, undo, at, root, text } = scene();
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    writeFileSync(at('a'), 'a');
    const before = { kind: 'file', mode: 0o644, size: 1, hash: hashOf(Buffer.from('a')) } as const;
    const part = { kind: 'put', path: at('a'), before, after: { ...before, hash: hashOf(Buffer.from('b')) } } as const;
    await store.add({ session: 's', tool: 'write', roots: [root], parts: [part], bytes: Buffer.from('a') });
    // Another gateway may be about to make it.
    expect((await undo()).skipped).toMatchObject([{ reason: expect.stringContaining('under way') }]);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await undo()).restored).toMatchObject([{ notes: ['it had never been made'] }]);
    expect([text('a'), await store.list({ limit: 9 })]).toEqual(['a', []]);
    await store.add({ session: 's', tool: 'write', roots: [root], parts: [part], bytes: Buffer.from('a') });
    writeFileSync(at('a'), 'b');
    vi.setSystemTime(Date.now() + 60_000);
    expect((await undo()).skipped).toEqual([]);
    expect(text('a')).toBe('a');
  });

  test('files that are too large are refused with the key to raise, and what fails is not noted', async () => {
    const { write, remove, move, undo, store, at } = scene({ changes: 9, megabytes: 1, fileMegabytes: 1 });
    writeFileSync(at('big'), Buffer.alloc(1024 ** 2 + 1));
    const refused = { code: 'FILE_FAILED', message: expect.stringContaining('workspace.undo.fileMegabytes') };
    await expect(write('big', 'x')).rejects.toMatchObject(refused);
    await expect(remove('big')).rejects.toMatchObject(refused);
    await expect(write('new', Buffer.alloc(1024 ** 2 + 1))).rejects.toMatchObject(refused);
    mkdirSync(at('full/of'), { recursive: true });
    await expect(remove('full')).rejects.toMatchObject({ message: expect.stringContaining('not empty') });
    await expect(remove('.')).rejects.toMatchObject({ code: 'FILE_FAILED' });
    await expect(move('full', 'full/of/it')).rejects.toMatchObject({ code: 'FILE_FAILED' });
    expect(await store.list({ limit: 9 })).toEqual([]);
    await move('big', 'moved');
    await undo();
    expect(readdirSync(at('.')).sort()).toEqual(['big', 'full']);
  });

  test('edits of one file at the same time follow one another', async () => {
    const { edit, write, text } = scene();
    await write('list', '');
    await Promise.all(Array.from({ length: 20 }, (_, index) => edit('list', (before) => `${before}${index}\n`)));
    expect(
      text('list')
        .trim()
        .split('\n')
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual([...Array(20).keys()]);
  });

  test('what nobody wants any more when its turn comes is not begun', async () => {
    const { changes, sandbox, edit, text } = scene();
    const leaving = new AbortController();
    let began = 0;
    const first = edit('a', (before) => {
      leaving.abort();
      return `${before}one`;
    });
    const request = { sandbox, path: 'a', origin: { session: 's', tool: 't' }, signal: leaving.signal };
    const second = writeFile(changes, request, () => ({ bytes: Buffer.from(`${++began}`), result: undefined }));
    await expect(second).rejects.toMatchObject({ name: 'AbortError' });
    await first;
    expect([began, text('a')]).toEqual([0, 'one']);
  });

  test('what another program wrote meanwhile is read again, and not lost', async () => {
    const { edit, at, text, root } = scene();
    writeFileSync(at('a'), 'one');
    let others = 2;
    await edit('a', (before) => {
      if (others-- > 0) writeFileSync(at('a'), `${before}+other`);
      return `${before}+mine`;
    });
    expect(text('a')).toBe('one+other+other+mine');
    await expect(
      edit('a', (before) => {
        writeFileSync(at('a'), `${before}!`);
        return 'mine';
      }),
    ).rejects.toMatchObject({ message: expect.stringContaining('another program changes it') });
    expect(readdirSync(root)).toEqual(['a']);
  });
});
