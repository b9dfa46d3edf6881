import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from '../../support/knowledge/knowledge.ts';

const script = path.resolve('scripts/notices.mjs');
const { noticesFor } = (await import(script)) as { noticesFor: (modules: Iterable<string>) => string };

/** A module of a package with this licence. */
function moduleOf(license: unknown, files: Readonly<Record<string, string>> = {}): string {
  const root = 'node_modules/@acme/thing';
  const entries = Object.entries(files).map(([name, text]) => [`${root}/${name}`, text] as const);
  const facts = JSON.stringify({ name: '@acme/thing', version: '1.2.3', license });
  const folder = folderWith({ [`${root}/package.json`]: facts, ...Object.fromEntries(entries) });
  return path.join(folder, root, 'lib/index.js');
}

test('the build has the notices of all packages whose code is in it', () => {
  const notices = readFileSync('dist/THIRD-PARTY-NOTICES.md', 'utf8');
  for (const name of ['zod', 'kysely', 'ws', 'commander', '@vscode/tree-sitter-wasm', '@pinojs/redact'])
    expect(notices).toMatch(new RegExp(`^## ${name} \\d`, 'm'));
  // It is imported from node_modules, and not in the bundle.
  expect(notices).not.toContain('## @modelcontextprotocol/client');
});

test('a package is there once, with the text of its licence and its notice', () => {
  const module = moduleOf('MIT', { LICENSE: 'Do as you like.\n', 'NOTICE.txt': 'By Acme.' });
  const notices = noticesFor([module, `\0${module}?commonjs`, path.resolve('src/cli/main.ts')]);
  expect(notices.match(/^## .*/gm)).toEqual(['## @acme/thing 1.2.3 (MIT)']);
  expect(notices).toContain('Do as you like.\n\nBy Acme.');
});

test.each(['MIT', 'Apache-2.0', '(MIT OR GPL-3.0-only)', 'ISC AND BSD-3-Clause'])('%s may be shipped', (license) => {
  expect(noticesFor([moduleOf(license)])).toContain(`(${license})`);
});

test.each(['GPL-3.0-only', 'MIT AND LGPL-3.0', 'SEE LICENSE IN x', '', undefined])('%s ends the build', (license) => {
  expect(() => noticesFor([moduleOf(license)])).toThrow('the bundle contains @acme/thing 1.2.3, whose licence is');
});
