import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Paths in code spans, such as `router/router.ts` or `upstream/lists/`. */
const PATH = /`((?:[\w-]+\/)+(?:[\w-]+\.(?:ts|mjs))?)`/g;

const present = ['src', 'scripts', 'test', 'fixtures', 'docs'].flatMap((root) =>
  readdirSync(root, { recursive: true, withFileTypes: true }).map(
    (entry) => `/${entry.parentPath}/${entry.name}${entry.isDirectory() ? '/' : ''}`,
  ),
);
const isThere = (path: string) =>
  present.some((file) => file.endsWith(`/${path}`)) || path.startsWith('dist/') || /^(src|docs|test)\/$/.test(path);

const pathsIn = (page: string) => [...readFileSync(page, 'utf8').matchAll(PATH)].map(([, path]) => path!);

test.each(['docs/ARCHITECTURE.md', 'docs/internals/COMPONENTS.md', 'CONTRIBUTING.md'])(
  '%s names only files that exist',
  (page) => {
    const paths = pathsIn(page);
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !isThere(path))).toEqual([]);
  },
);

test('the overview stays short', () => {
  const words = readFileSync('docs/ARCHITECTURE.md', 'utf8').split(/\s+/).length;
  expect(words).toBeLessThan(2_500);
});
