import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { POINTER_ROWS } from '../../../e2e/pointers/rows.ts';

test('the table of pointers in docs/internals/COMPONENTS.md has the rows that are tested', () => {
  const page = readFileSync('docs/internals/COMPONENTS.md', 'utf8');
  const table = page.slice(page.indexOf('| pointer '), page.indexOf('The three keys are'));
  const rows = table.split('\n').flatMap((line) => /^\| (.+?) +\| /.exec(line)?.[1] ?? []);
  const kinds = rows.filter((row) => row !== 'pointer' && !row.startsWith('---'));
  expect(kinds).toEqual(POINTER_ROWS.map(([kind]) => kind));
});
