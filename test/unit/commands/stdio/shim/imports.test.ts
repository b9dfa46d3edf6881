import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const STATIC_IMPORT = /^(?:import|export) (?!type )[^;]*?from '([^']+)';$/gm;

/** Returns the modules that are loaded with a file, and the packages. */
function loadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT))
    if (name.startsWith('.')) loadedWith(path.join(path.dirname(file), name), found);
    else found.add(name);
  return found;
}

test('the shim loads little: no package, nothing of HTTP, and none of the layers of a gateway', () => {
  const outside = [...loadedWith('src/commands/stdio/shim/shim.ts')].filter((name) => !name.includes('/stdio/shim/'));
  expect(outside.sort()).toEqual([
    'node:timers/promises',
    'src/core/collections/transient-map.ts',
    'src/core/errors.ts',
    'src/core/failure-facts.ts',
    'src/core/timing/budget.ts',
  ]);
});

test('all of it is loaded at its start: a version that is replaced while it runs takes its files away', () => {
  for (const file of loadedWith('src/commands/stdio/shim/shim.ts'))
    if (file.startsWith('src/')) expect([file, /\bimport\(/.test(readFileSync(file, 'utf8'))]).toEqual([file, false]);
});
