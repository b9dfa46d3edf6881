/**
 * Returns where the code of worker threads is: `scripts/build.mjs` makes one program of it. From source too, it is the built
 * one that runs: threads have no loader for TypeScript.
 */
export function workerFile(): URL {
  const here = new URL(import.meta.url);
  const [folder] = here.href.split(/(?:dist|src)\/(?!.*\b(?:dist|src)\/)/);
  return new URL('dist/knowledge/worker.js', folder);
}
