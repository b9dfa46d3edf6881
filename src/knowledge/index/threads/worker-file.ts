/** Folders of the package that this may run from. */
const FOLDERS = ['dist', 'dist-fixtures', 'src'];

/**
 * Returns where the code of worker threads is: `scripts/build.mjs` makes a program of it, with this name. From source too, it
 * is the built one that runs: threads have no loader for TypeScript.
 */
export function workerFile(name = 'worker'): URL {
  const here = new URL(import.meta.url);
  const parts = here.pathname.split('/');
  const folder = Math.max(...FOLDERS.map((part) => parts.lastIndexOf(part)));
  return new URL([...parts.slice(0, folder), `dist/knowledge/${name}.js`].join('/'), here);
}
