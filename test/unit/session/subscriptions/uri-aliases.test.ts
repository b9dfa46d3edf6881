import { expect, test } from 'vitest';
import { UriAliases } from '../../../../src/session/subscriptions/uri-aliases.ts';

/** Uris of the form `alias@resource`; one without `@` means no known resource. */
function aliases() {
  const looked: string[] = [];
  const found = new UriAliases((uri) => {
    looked.push(uri);
    return uri.split('@')[1];
  });
  return { found, looked };
}

test('uris of the same resource are aliases, and others are not', () => {
  const { found } = aliases();
  expect(found.of('a@x', () => ['a@x', 'b@x', 'c@y', 'd'])).toEqual(['a@x', 'b@x']);
  expect(found.of('d', () => [])).toEqual([]);
  expect(found.of('e@z', () => [])).toEqual([]);
});

test('every uri is looked up once until the aliases are forgotten', () => {
  const { found, looked } = aliases();
  found.of('a@x', () => ['b@x']);
  found.of('a@x', () => ['c@x']);
  expect(looked.filter((uri) => uri !== 'a@x')).toEqual(['b@x']);
  found.forget();
  expect(found.of('a@x', () => ['c@x'])).toEqual(['c@x']);
});

test('a uri that is added later counts, and one that is removed does not', () => {
  const { found } = aliases();
  found.add('early@x');
  expect(found.of('a@x', () => ['a@x'])).toEqual(['a@x']);
  found.add('b@x');
  found.add('c');
  expect(found.of('a@x', () => [])).toEqual(['a@x', 'b@x']);
  found.remove('a@x');
  found.remove('c');
  expect(found.of('a@x', () => [])).toEqual(['b@x']);
  found.remove('b@x');
  expect(found.of('a@x', () => [])).toEqual([]);
});

test('a uri that means another resource now is no alias of the former one', () => {
  let meant = 'x';
  const found = new UriAliases((uri) => (uri === 'moving' ? meant : uri.split('@')[1]));
  found.of('a@x', () => ['moving']);
  meant = 'y';
  found.add('moving');
  expect([found.of('a@x', () => []), found.of('a@y', () => [])]).toEqual([[], ['moving']]);
});
