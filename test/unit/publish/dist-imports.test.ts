import path from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { folderWith } from '../../support/knowledge/knowledge.ts';

interface DistImports {
  readonly checkDistImports: (folder: string, manifest: object) => void;
  readonly importedPackages: (folder: string) => Map<string, string>;
  readonly importsOf: (text: string) => Set<string>;
}
const { checkDistImports, importedPackages, importsOf } = (await import(
  path.resolve('scripts/dist-imports.mjs')
)) as DistImports;

test('the built program imports only what an installation has', () => {
  expect(() => checkDistImports('dist', manifest)).not.toThrow();
});

test('every dependency is imported by the built program', () => {
  const imported = importedPackages('dist');
  const installed = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.peerDependencies };
  expect([...imported.keys()].sort()).toEqual(Object.keys(installed).sort());
});

test.each([
  ["import a from 'one';", 'one'],
  ["import 'one/sub.js';", 'one/sub.js'],
  ["export * from 'one';", 'one'],
  ["export { a } from 'one';", 'one'],
  ["const a = await import('one');", 'one'],
  ['const a = await import(`one`);', 'one'],
  ["const a = require('one');", 'one'],
  ["const a = __require('one');", 'one'],
  ["const a = __require2('one');", 'one'],
  ["createRequire(import.meta.url).resolve('one/package.json');", 'one/package.json'],
])('%s imports %s', (text, specifier) => expect([...importsOf(text)]).toEqual([specifier]));

test.each([
  'const a = await import(file);',
  'const a = await import(`./${name}.js`);',
  'const a = "import b from \'one\'";',
  "path.resolve('one');",
  "// require('one')",
])('%s imports nothing that is known', (text) => expect([...importsOf(text)]).toEqual([]));

test('files and modules of Node.js are no packages', () => {
  const text = ['./a.js', '../b.js', '/c.js', 'node:fs', 'fs', 'fs/promises'].map((name) => `import '${name}';`);
  expect([...importedPackages(folderWith({ 'main.js': text.join('\n') }))]).toEqual([]);
});

test('an undeclared package ends the build, and the file is named', () => {
  const folder = folderWith({
    'chunks/a.js': "import '@acme/thing/part'; import 'known';",
    'b.txt': "import 'other';",
  });
  expect(() =>
    checkDistImports(folder, { dependencies: { known: '1' }, devDependencies: { '@acme/thing': '1' } }),
  ).toThrow('@acme/thing, in chunks/a.js');
});

test('text that is not JavaScript is refused', () => {
  expect(() => importsOf('import from')).toThrow('is not valid JavaScript');
});
