import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSource } from '../../../../src/knowledge/files/read-source.ts';
import { realFolder, write } from '../../../support/git-repository.ts';

const read = (root: string, file: string, maxBytes = 1_000) => readSource(root, file, maxBytes);

async function readingOf(bytes: string | Buffer) {
  const root = realFolder();
  write(root, 'a.ts', bytes);
  return await read(root, 'a.ts');
}

describe('a text', () => {
  it('comes with what the system says of its file', async () => {
    const root = realFolder();
    const { size, mtimeMs, ino } = statSync(write(root, 'src/ä.ts', 'grüße\r\n😀'));
    expect(await read(root, 'src/ä.ts')).toEqual({ kind: 'text', text: 'grüße\r\n😀', size, mtimeMs, ino });
  });

  it.each([
    ['a byte order mark', Buffer.from('\uFEFFa = 1')],
    ['UTF-16, little-endian', Buffer.from('\uFEFFa = 1', 'utf16le')],
    ['UTF-16, big-endian', Buffer.from('\uFEFFa = 1', 'utf16le').swap16()],
  ])('is read with %s', async (_, bytes) => {
    expect(await readingOf(bytes)).toMatchObject({ kind: 'text', text: 'a = 1' });
  });

  it('may be empty', async () => {
    expect(await readingOf('')).toMatchObject({ kind: 'text', text: '' });
  });
});

describe('what is no text', () => {
  it('is binary where it has a zero', async () => {
    expect(await readingOf(Buffer.from([0x7f, 0x45, 0, 1]))).toEqual({ kind: 'binary' });
  });

  it('is refused where it is not UTF-8', async () => {
    expect(await readingOf(Buffer.from('grüße', 'latin1'))).toEqual({
      kind: 'failure',
      reason: 'a.ts: it is not UTF-8',
    });
  });
});

describe('a file that is not what was walked over', () => {
  it.each<[string, (place: string) => void, string]>([
    ['gone', () => {}, 'it does not exist'],
    ['too large', (place) => writeFileSync(place, 'x'.repeat(1_001)), 'it is larger than 1000 bytes'],
    ['huge', (place) => makeHuge(place), 'it is larger than 1000 bytes'],
    ['a folder', (place) => mkdirSync(place), 'it is not a regular file'],
    ['a pipe', (place) => execFileSync('mkfifo', [place]), 'it is not a regular file'],
    ['a link', (place) => symlinkSync(write(realFolder(), 'a.ts'), place), 'it is a link'],
  ])('is refused: %s', async (_, make, reason) => {
    const root = realFolder();
    make(path.join(root, 'a.ts'));
    expect(await read(root, 'a.ts')).toEqual({ kind: 'failure', reason: `a.ts: ${reason}` });
  });

  it('is refused: in a folder that has become a link to outside', async () => {
    const [root, outside] = [realFolder(), realFolder()];
    write(outside, 'deep/a.ts');
    symlinkSync(outside, path.join(root, 'moved'));
    const refused = { kind: 'failure', reason: 'moved/deep/a.ts: it lies outside of the folder' };
    expect(await read(root, 'moved/deep/a.ts')).toEqual(refused);
    expect(await read(root, `../${path.basename(outside)}/deep/a.ts`)).toMatchObject({ kind: 'failure' });
  });
});

function makeHuge(place: string): void {
  writeFileSync(place, '');
  truncateSync(place, 2 * 1024 ** 3);
}
