import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { appendAll, writeAll } from '../../../../src/core/files/write-all.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

const MOUNTS = ['-U', '-r', '-m'];
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', [...MOUNTS, 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

function opened(file: string, flags: string): number {
  const descriptor = openSync(file, flags);
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

test('all of a text is written, and appended to what is there', () => {
  const file = path.join(temporaryFolder(), 'file');
  writeAll(opened(file, 'w'), 'one äöü\n');
  appendAll(opened(file, 'a'), Buffer.from('two\n'));
  expect(readFileSync(file, 'utf8')).toBe('one äöü\ntwo\n');
});

test.skipIf(!existsSync('/dev/full'))('a device without room is an error', () => {
  expect(() => writeAll(opened('/dev/full', 'w'), 'text')).toThrow('ENOSPC');
  expect(() => appendAll(opened('/dev/full', 'a'), 'text')).toThrow('ENOSPC');
});

/** Appends lines through `append` to a file on a disk that becomes full, then has room again. Prints the file. */
const SCRIPT = (source: string, begin: string, append: string) => `
  import { openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
  import * as source from ${JSON.stringify(path.resolve(source))};
  const file = '/mnt/file.jsonl';
  ${begin}
  const append = async (text) => { ${append} };
  await append('before\\n');
  writeFileSync('/mnt/filler', 'x'.repeat(50_000));
  let code;
  try { await append('x'.repeat(100_000) + '\\n'); } catch (error) { code = error.code ?? error.cause?.code; }
  rmSync('/mnt/filler');
  await append('after\\n');
  console.log(JSON.stringify([code, readFileSync(file, 'utf8')]));
`;

describe.skipIf(!canMount)('a text for which the disk has too little room leaves no part of itself in', () => {
  test.each([
    [
      'a file that is appended to',
      'src/core/files/write-all.ts',
      "const opened = openSync(file, 'a');",
      'source.appendAll(opened, text);',
    ],
    [
      'the audit',
      'src/audit/rotating-file.ts',
      'const rotating = new source.RotatingFile({ file, maxBytes: 1e9, files: 2 });',
      'rotating.append(text);',
    ],
    [
      'the metrics of a day',
      'src/workflows/metrics/daily-files.ts',
      '',
      'await source.appendLines(file, [text.trimEnd()]);',
    ],
  ])('%s', (_name, source, begin, append) => {
    const script = path.join(temporaryFolder(), 'script.mts');
    writeFileSync(script, SCRIPT(source, begin, append));
    const words = `mount -t tmpfs -o size=128k none /mnt && exec '${process.execPath}' --import tsx '${script}'`;
    const { stdout, stderr } = spawnSync('unshare', [...MOUNTS, 'sh', '-c', words], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual(['ENOSPC', 'before\nafter\n']);
  });
});
