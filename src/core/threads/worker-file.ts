import { existsSync } from 'node:fs';

/**
 * Returns where the code of worker threads is: `scripts/build.mjs` makes a program of it, with this name, in `dist/`. Code that
 * runs from source uses the built one too: threads have no loader for TypeScript.
 * @throws Error when the program was not built
 */
export function workerFile(program: 'knowledge/worker' | 'knowledge/documents' | 'audit/worker'): URL {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const file = new URL(`dist/${program}.js`, folder);
    if (existsSync(file)) return file;
    if (folder.pathname === '/' || new URL('..', folder).href === folder.href)
      throw new Error(`dist/${program}.js is missing: run "npm run build"`);
  }
}
