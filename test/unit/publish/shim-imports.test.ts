import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const STATIC_IMPORT = /^(?:import|export) (?!type )[^;]*?from '([^']+)';$/gm;

/** The modules that are loaded with one, and the packages. */
function loadedWith(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(STATIC_IMPORT)) {
    if (name.startsWith('.')) {
      const next = path.join(path.dirname(file), name);
      if (next.endsWith('.ts')) loadedWith(next, found);
    } else found.add(name);
  }
  return found;
}

test('a client that finds its gateway loads nothing that reads YAML, checks a config, writes a log or speaks HTTP', () => {
  const loaded = [...loadedWith('src/commands/stdio/stdio.ts')];
  const packages = loaded.filter((name) => !name.startsWith('src/') && !name.startsWith('node:'));
  expect(packages).toEqual([]);
  expect(loaded.filter((name) => /^node:(?:http|https|http2|tls|sqlite|worker_threads)/.test(name))).toEqual([]);
  const heavy = loaded.filter((name) => /^src\/(?:downstream|upstream|workflows|session|catalogue|wire)\//.test(name));
  expect(heavy).toEqual([]);
  expect(loaded).not.toContain('src/config/schema.ts');
  expect(loaded.length).toBeLessThan(130);
});

test('the shared gateway loads no HTTP server of ours', () => {
  const loaded = [...loadedWith('src/commands/shared-gateway/shared-gateway.ts')];
  expect(loaded.filter((name) => /^src\/downstream\/(?:http|tcp)\//.test(name))).toEqual([]);
});
