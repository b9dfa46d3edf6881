import { describe, expect, test } from 'vitest';
import { Subscriptions } from '../../../src/core/subscriptions.ts';

function open(pairs: readonly (readonly [string, string])[]) {
  const subscriptions = new Subscriptions();
  for (const [uri, session] of pairs) subscriptions.add(uri, session);
  return subscriptions;
}

test('an upstream is told when the last client of a resource goes, and not before', () => {
  const subscriptions = open([
    ['a:x', 'A'],
    ['a:x', 'A'],
    ['a:x', 'B'],
  ]);
  expect(subscriptions.remove('a:x', 'A')).toBe(false);
  expect(subscriptions.remove('a:x', 'A')).toBe(false);
  expect(subscriptions.remove('a:x', 'B')).toBe(true);
  expect(subscriptions.uris()).toEqual([]);
  expect(subscriptions.remove('a:x', 'B')).toBe(true);
});

test('a client that goes leaves the resources of others alone', () => {
  const subscriptions = open([
    ['a:x', 'A'],
    ['a:y', 'A'],
    ['a:y', 'B'],
    ['a:z', 'B'],
  ]);
  expect(subscriptions.removeSession('A')).toEqual(['a:x']);
  expect(subscriptions.removeSession('A')).toEqual([]);
  expect(subscriptions.uris()).toEqual(['a:y', 'a:z']);
  expect([...subscriptions.sessionsOf('a:y')]).toEqual(['B']);
});

describe('who hears of a change', () => {
  const subscriptions = open([
    ['file:///dir', 'dir'],
    ['file:///dir/', 'slash'],
    ['file:///dir/a.txt', 'file'],
    ['db://main', 'db'],
  ]);

  test.each([
    ['file:///dir/a.txt', ['dir', 'file', 'slash']],
    ['file:///dir/sub/b.txt', ['dir', 'slash']],
    ['file:///dir', ['dir']],
    ['db://main?table=1', ['db']],
    ['db://main#row', ['db']],
    ['file:///', []],
    ['file:///other', []],
  ])('of %s: those who want it or what it is part of: %j', (uri, expected) => {
    expect([...subscriptions.sessionsOf(uri)].toSorted()).toEqual(expected);
  });

  test.each(['file:///directory', 'file:///dir2/a.txt', 'db://mainly'])(
    'of %s: nobody, for it only begins like theirs',
    (uri) => {
      expect([...subscriptions.sessionsOf(uri)]).toEqual([]);
    },
  );

  test('of a file beside one that it begins like: only those who want the folder', () => {
    expect([...subscriptions.sessionsOf('file:///dir/a.txt.bak')].toSorted()).toEqual(['dir', 'slash']);
  });
});
