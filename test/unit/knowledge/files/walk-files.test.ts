import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { realFolder, write } from '../../../support/git-repository.ts';
import { filesIn, walked } from './walked.ts';

function folderWith(...files: string[]): string {
  const root = realFolder();
  for (const file of files) write(root, file);
  return root;
}

describe('what a walk yields', () => {
  it('is the files of all folders, with what the system says of them', async () => {
    const root = folderWith('a.ts', 'src/b.ts', 'src/deep/c.ts');
    const { size, mtimeMs, ino } = statSync(path.join(root, 'src/b.ts'));
    expect(await filesIn(root)).toEqual(['a.ts', 'src/b.ts', 'src/deep/c.ts']);
    expect(await walked(root)).toContainEqual({ kind: 'file', path: 'src/b.ts', size, mtimeMs, ino });
  });

  it('comes in batches, also of one large folder', async () => {
    const root = realFolder();
    for (let at = 0; at < 2_500; at++) write(root, `f${at}.ts`, '');
    expect(await filesIn(root)).toHaveLength(2_500);
  });

  it.each([
    [
      '.git/config',
      '.hg/store/a',
      'node_modules/a/index.js',
      'sub/node_modules/a.js',
      '.venv/lib/a.py',
      '__pycache__/a.py',
    ],
    ['package-lock.json', 'sub/yarn.lock', 'Cargo.lock', 'go.sum', 'pnpm-lock.yaml'],
    ['logo.png', 'a.PDF', 'a.zip', 'lib.so', 'font.woff2', 'app.min.js', 'app.js.map', 'db.sqlite', '.DS_Store'],
    [
      '.env',
      '.env.local',
      'prod.env',
      'server.pem',
      'server.key',
      'id_rsa',
      '.npmrc',
      '.netrc',
      'a.p12',
      'main.tfstate',
      '.ssh/config',
    ],
  ])('has no %s, and nothing of its kind', async (...files) => {
    expect(await filesIn(folderWith('a.ts', '.env.example', ...files))).toEqual(['.env.example', 'a.ts']);
  });

  it('has nothing that was built where the file that says so lies beside it', async () => {
    const built = ['package.json', 'dist/a.js', 'rust/Cargo.toml', 'rust/target/a.rs', 'go/go.mod', 'go/vendor/a/a.go'];
    expect(await filesIn(folderWith(...built))).toEqual(['go/go.mod', 'package.json', 'rust/Cargo.toml']);
    const sources = ['dist/a.js', 'target/a.rs', 'vendor/a.go', 'build/a.mjs'];
    expect(await filesIn(folderWith(...sources))).toEqual(sources.toSorted());
  });

  it('has nothing of folders that say they are caches', async () => {
    expect(await filesIn(folderWith('a.py', 'env/pyvenv.cfg', 'env/b.py', 'cache/CACHEDIR.TAG', 'cache/c.py'))).toEqual(
      ['a.py'],
    );
  });

  it('names large files without reading them', async () => {
    const root = folderWith('a.ts');
    write(root, 'large.ts', '');
    truncateSync(path.join(root, 'large.ts'), 2 * 1024 ** 3);
    expect(await walked(root)).toContainEqual({ kind: 'oversized', path: 'large.ts', size: 2 * 1024 ** 3 });
    expect(await filesIn(root, { maxBytes: 3 })).toEqual([]);
  });
});

describe('rules', () => {
  it('of nested files: the innermost decides, and what is in an ignored folder is gone', async () => {
    const root = folderWith('a.log', 'keep.log', 'sub/a.log', 'sub/b.log', 'sub/own.ts', 'out/in.ts', 'sub/out/in.ts');
    write(root, '.gitignore', '# logs\n*.log\n!keep.log\n/out/\n');
    write(root, 'sub/.gitignore', '!a.log\nown.ts\n');
    write(root, 'out/.gitignore', '!in.ts\n');
    expect(await filesIn(root)).toEqual(['.gitignore', 'keep.log', 'sub/.gitignore', 'sub/a.log', 'sub/out/in.ts']);
  });

  it('of .mcpignore come after those of .gitignore', async () => {
    const root = folderWith('a.gen.ts', 'b.gen.ts', 'secret.ts');
    write(root, '.gitignore', '*.gen.ts\n');
    write(root, '.mcpignore', '!a.gen.ts\nsecret.ts\n');
    expect(await filesIn(root)).toEqual(['.gitignore', '.mcpignore', 'a.gen.ts']);
  });

  it('of the config decide over all', async () => {
    const root = folderWith('a.ts', 'b.ts', 'docs/c.md');
    write(root, '.gitignore', 'b.ts\n');
    expect(await filesIn(root, { ignore: ['docs/', '!b.ts', '.gitignore'] })).toEqual(['a.ts', 'b.ts']);
  });

  it('may be written with a byte order mark, carriage returns and spaces', async () => {
    const root = folderWith('a.log', 'a b.ts', 'c.ts');
    write(root, '.gitignore', '\uFEFF*.log\r\na\\ b.ts\r\n\r\n');
    expect(await filesIn(root)).toEqual(['.gitignore', 'c.ts']);
  });

  it('that would take too long are not used, and named', async () => {
    const root = folderWith(`${'a'.repeat(200)}.ts`);
    write(root, '.gitignore', `${'*a'.repeat(30)}b\n*.log\n`);
    const found = await walked(root);
    expect(found.filter(({ kind }) => kind === 'file')).toHaveLength(2);
    expect(found).toContainEqual({
      kind: 'failure',
      path: '.gitignore',
      reason: '.gitignore: 1 patterns have too many *: they are not used',
    });
  });

  it('do not lie in something that is no file', async () => {
    const root = folderWith('a.ts');
    mkdirSync(path.join(root, '.gitignore'));
    expect(await filesIn(root)).toEqual(['a.ts']);
  });
});

describe('links', () => {
  it('are not followed: loops end, and nothing outside is found', async () => {
    const outside = folderWith('secret.ts');
    const root = folderWith('src/a.ts');
    symlinkSync(root, path.join(root, 'src/loop'));
    symlinkSync(outside, path.join(root, 'out'));
    symlinkSync(path.join(outside, 'secret.ts'), path.join(root, 'secret.ts'));
    symlinkSync(path.join(root, 'src/a.ts'), path.join(root, 'b.ts'));
    expect((await walked(root)).map((one) => one.path)).toEqual(['src/a.ts']);
  });

  it('may lead to the root', async () => {
    const root = folderWith('a.ts');
    const link = path.join(realFolder(), 'link');
    symlinkSync(root, link);
    expect(await filesIn(link)).toEqual(['a.ts']);
  });
});

describe('what cannot be read', () => {
  it('is never opened when it is a pipe or a socket', async () => {
    const root = folderWith('a.ts');
    execFileSync('mkfifo', [path.join(root, 'pipe.ts')]);
    const server = net.createServer().listen(path.join(root, 'socket.ts'));
    try {
      expect((await walked(root)).map((one) => one.path)).toEqual(['a.ts']);
    } finally {
      server.close();
    }
  });

  it('is named, and the rest goes on', async () => {
    const root = folderWith('a.ts');
    expect(await walked(path.join(root, 'none'))).toEqual([
      { kind: 'failure', path: '.', reason: '.: it does not exist' },
    ]);
    expect(await walked(path.join(root, 'a.ts'))).toEqual([
      { kind: 'failure', path: '.', reason: '.: it is not a folder' },
    ]);
  });

  it('ends at a depth that nobody uses', async () => {
    const root = realFolder();
    const deep = Array.from({ length: 210 }, () => 'd').join('/');
    write(root, `${deep}/a.ts`);
    const [failure, ...others] = await walked(root);
    expect(others).toEqual([]);
    expect(failure).toMatchObject({ kind: 'failure', reason: expect.stringContaining('deeper than 200 folders') });
  });

  it('ends with the reason of its signal', async () => {
    const root = folderWith('a.ts');
    await expect(filesIn(root, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  });
});
