/**
 * Returns where the code of worker threads is: `scripts/build.mjs` makes a program of it, with this name. From source too, it is the built
 * one that runs: threads have no loader for TypeScript.
 */
export function workerFile(name = 'worker'): URL {
  const here = new URL(import.meta.url);
  const [folder] = here.href.split(/(?:dist|dist-fixtures|src)\/(?!.*\b(?:dist|dist-fixtures|src)\/)/);
  return new URL(`dist/knowledge/${name}.js`, folder);
}
