import { describe, expect, test } from 'vitest';
import { Subscriptions } from '../../../../src/core/providers/subscriptions.ts';

function open(pairs: readonly (readonly [string, string])[]) {
  const subscriptions = new Subscriptions();
  for (const [uri, session] of pairs) subscriptions.add(uri, session, uri);
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
  expect([...subscriptions.spellingsOf('a:y', 'a:y').keys()]).toEqual(['B']);
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
    expect([...subscriptions.spellingsOf(uri, uri).keys()].toSorted()).toEqual(expected);
  });

  test.each(['file:///directory', 'file:///dir2/a.txt', 'db://mainly'])(
    'of %s: nobody, for it only begins like theirs',
    (uri) => {
      expect([...subscriptions.spellingsOf(uri, uri)]).toEqual([]);
    },
  );

  test('of a file beside one that it begins like: only those who want the folder', () => {
    expect([...subscriptions.spellingsOf('file:///dir/a.txt.bak', 'x').keys()].toSorted()).toEqual(['dir', 'slash']);
  });
});

describe('the uri under which a client hears of a change', () => {
  const subscriptions = new Subscriptions();
  subscriptions.add('memo://1', 'public', 'memo://b/1');
  subscriptions.add('memo://1', 'own', 'memo://1');
  const spellings = (uri: string) => Object.fromEntries(subscriptions.spellingsOf(uri, uri.replace('//', '//b/')));

  test('is the one that it has subscribed to', () => {
    expect(spellings('memo://1')).toEqual({ public: 'memo://b/1', own: 'memo://1' });
  });

  test('is of the same kind for a part of the resource', () => {
    expect(spellings('memo://1/page')).toEqual({ public: 'memo://b/1/page', own: 'memo://1/page' });
  });

  test('is the last one that it has used', () => {
    subscriptions.add('memo://1', 'own', 'memo://b/1');
    expect(spellings('memo://1').own).toBe('memo://b/1');
  });
});
