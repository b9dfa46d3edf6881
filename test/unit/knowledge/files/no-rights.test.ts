import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { realFolder, write } from '../../../support/git-repository.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** Walks in a process of its own: as somebody else where these tests are run by root, to whom nothing is closed. */
function walkedElsewhere(root: string): unknown {
  const module = path.resolve('src/knowledge/files/walk-files.ts');
  const code = `const { walkFiles } = await import(${JSON.stringify(module)});
    ${isRoot ? `process.setgid(${NOBODY}); process.setuid(${NOBODY});` : ''}
    const found = [];
    for await (const batch of walkFiles(${JSON.stringify(root)})) found.push(...batch);
    console.log(JSON.stringify(found.map(({ kind, path, reason }) => ({ kind, path, reason }))));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], { encoding: 'utf8' }),
  );
}

describe.skipIf(process.platform === 'win32')('a folder without rights', () => {
  it('is named, and the rest goes on', () => {
    const root = realFolder();
    write(root, 'a.ts');
    write(root, 'closed/b.ts');
    write(root, 'open/c.ts');
    for (let folder = root; folder !== path.dirname(folder) && isRoot; folder = path.dirname(folder))
      if (folder.startsWith(process.env.TMPDIR ?? '/tmp/')) chmodSync(folder, 0o755);
    if (isRoot) chownSync(root, NOBODY, NOBODY);
    chmodSync(path.join(root, 'closed'), 0);
    expect(walkedElsewhere(root)).toEqual([
      { kind: 'file', path: 'a.ts' },
      { kind: 'failure', path: 'closed', reason: 'closed: no permission to read it' },
      { kind: 'file', path: 'open/c.ts' },
    ]);
  });
});
