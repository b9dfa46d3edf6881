import { expect, test } from 'vitest';
import { UriAliases } from '../../../../src/session/subscriptions/uri-aliases.ts';

/** "public:x" and "x" are one resource; "unknown" is none. */
function open(all: string[] = []) {
  const looked: string[] = [];
  const aliases = new UriAliases((uri) => {
    looked.push(uri);
    return uri === 'unknown' ? undefined : uri.replace(/^public:/, '');
  });
  return { aliases, looked, of: (uri: string) => aliases.of(uri, () => all) };
}

test('uris that mean the same are found, each looked up once', () => {
  const { of, looked } = open(['x', 'public:x', 'y', 'unknown']);
  expect([of('x'), of('public:y'), of('unknown'), of('z')]).toEqual([['x', 'public:x'], ['y'], [], []]);
  expect(looked.filter((uri) => uri === 'public:x')).toHaveLength(1);
});

test('a uri that is added counts, and one that is removed does not', () => {
  const { aliases, of } = open(['x']);
  expect(of('x')).toEqual(['x']);
  aliases.add('public:x');
  aliases.add('public:x');
  aliases.add('unknown');
  expect(of('x')).toEqual(['x', 'public:x']);
  aliases.remove('x');
  aliases.remove('never there');
  expect(of('x')).toEqual(['public:x']);
  aliases.remove('public:x');
  expect(of('x')).toEqual([]);
});

test('what was forgotten is looked up again', () => {
  const all = ['x'];
  const { aliases, of, looked } = open(all);
  // Before the first question nothing is looked up.
  aliases.add('y');
  expect(looked).toEqual([]);
  of('x');
  all.push('public:x');
  expect(of('x')).toEqual(['x']);
  aliases.forget();
  expect(of('x')).toEqual(['x', 'public:x']);
});
