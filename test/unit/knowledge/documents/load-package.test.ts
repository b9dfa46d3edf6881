import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { loadPackage } from '../../../../src/knowledge/documents/loaders/load-package.ts';
import { temporaryFolder } from '../../../support/gateway.ts';

test('a package that is not installed is named', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'node_modules'));
  const module = path.join(folder, 'module.mjs');
  writeFileSync(module, `export const load = () => import('no-such-package-anywhere');`);
  const { load } = (await import(/* @vite-ignore */ pathToFileURL(module).href)) as { load: () => Promise<unknown> };
  const missing = loadPackage('mammoth', load);
  await expect(missing).rejects.toThrow('the package mammoth is needed for it, and not installed: npm install mammoth');
});

test('what a package throws passes', async () => {
  await expect(loadPackage('x', () => Promise.reject(new Error('broken inside')))).rejects.toThrow('broken inside');
});
