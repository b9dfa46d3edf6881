import { expect, test } from 'vitest';
import type { CatalogueView } from '../../../src/catalogue/catalogue-view.ts';
import { MAX_NAME_LENGTH } from '../../../src/core/access/name-filter.ts';
import { UnknownNames, withSentences } from '../../../src/router/unknown-names.ts';

function unknownNames(troubles: readonly string[] = []) {
  const routes = new Map([['files__search_notes', { ownName: 'search_notes' }]]);
  const catalogue = { routes: (kind: string) => (kind === 'tool' ? routes : new Map()) };
  return new UnknownNames(catalogue as unknown as CatalogueView, () => troubles);
}

test('a tool is suggested by its public name, for a mistake in either of its names', () => {
  const names = unknownNames();
  expect(names.unknown('tool', 'files__search_note')).toContain('files__search_notes');
  expect(names.unknown('tool', 'search_notez')).toContain('files__search_notes');
  expect(names.unlisted('search_notez')).toContain('files__search_notes');
  expect(names.unknown('prompt', 'search_notez')).toBe('');
});

test('a tool for apps is never suggested', () => {
  const descriptor = { text: '{"name":"draw","_meta":{"ui":{"visibility":["app"]}}}' };
  const routes = new Map([['charts__draw', { ownName: 'draw', descriptor }]]);
  const names = new UnknownNames({ routes: () => routes } as unknown as CatalogueView, () => []);
  expect([names.unknown('tool', 'charts__drew'), names.unlisted('drew')]).toEqual(['', '']);
  descriptor.text = '{"name":"draw","_meta":{"ui":{"visibility":["app","model"]}}}';
  expect(names.unknown('tool', 'charts__drew')).toBe('Did you mean "charts__draw"?');
});

test('servers in trouble are named, a few of many, and not for a tool that a server was asked for', () => {
  const words = 'It may be missing because servers are in trouble: ';
  expect(unknownNames(['a is away']).unknown('tool', 'zzz')).toBe(`${words}a is away.`);
  expect(unknownNames(['1', '2', '3', '4', '5']).unknown('tool', 'zzz')).toBe(`${words}1; 2; 3; 4; 5.`);
  expect(unknownNames(['1', '2', '3', '4', '5', '6', '7']).unknown('tool', 'zzz')).toBe(
    `${words}1; 2; 3; 4; 5 and 2 more.`,
  );
  expect(unknownNames(['a is away']).unlisted('zzz')).toBe('');
});

test('a name that is too long is not searched for, and nobody may search all the time', () => {
  const names = unknownNames(['away']);
  expect(names.unknown('tool', 'z'.repeat(MAX_NAME_LENGTH + 1))).toBe('');
  expect(names.unknown('tool', 'z'.repeat(MAX_NAME_LENGTH))).not.toBe('');
  for (let times = 1; times < 50; times++) names.unlisted('zzz');
  expect(names.unknown('tool', 'search_notez')).toBe('');
});

test('sentences follow a text that ends as a sentence', () => {
  expect(withSentences('Unknown', '')).toBe('Unknown');
  expect(withSentences('Unknown', 'Try x.')).toBe('Unknown. Try x.');
  expect(withSentences('Unknown! ', 'Try x.')).toBe('Unknown! Try x.');
});
