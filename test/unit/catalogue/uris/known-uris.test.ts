import { expect, test } from 'vitest';
import { KnownUris } from '../../../../src/catalogue/uris/known-uris.ts';
import { digestOf } from '../../../../src/catalogue/uris/named-uris.ts';

const named = (key: string, uri: string) => ({ key, digest: digestOf(uri) });

test('the first record of a uri makes its owner; a release makes it free', () => {
  const known = new KnownUris();
  known.take({ key: 'a', uri: 'x:1' });
  known.take({ key: 'b', uri: 'x:1' });
  expect([known.ownerOf('x:1'), known.listerOf('x:1'), known.size]).toEqual(['a', 'a', 1]);
  expect(known.isFree({ key: 'b', uri: 'x:1' })).toBe(false);
  known.take({ released: 'a' });
  expect([known.ownerOf('x:1'), known.size]).toEqual([undefined, 0]);
  expect(known.isFree({ key: 'b', uri: 'x:1' })).toBe(true);
});

test('a uri that was named may be listed by its namer only, and is then listed', () => {
  const known = new KnownUris();
  known.take(named('a', 'x:1'));
  expect([known.isFree({ key: 'b', uri: 'x:1' }), known.isFree({ key: 'a', uri: 'x:1' })]).toEqual([false, true]);
  known.take({ key: 'b', uri: 'x:1' });
  expect(known.listerOf('x:1')).toBeUndefined();
  known.take({ key: 'a', uri: 'x:1' });
  expect([known.listerOf('x:1'), known.named.size, known.size]).toEqual(['a', 0, 1]);
});

test('the revision changes with each change of an owner, and with nothing else', () => {
  const known = new KnownUris();
  const changes = (work: () => void) => {
    const before = known.revision;
    work();
    return known.revision !== before;
  };
  expect(changes(() => known.take({ key: 'a', uri: 'x:1' }))).toBe(true);
  expect(changes(() => known.take({ key: 'b', uri: 'x:1' }))).toBe(false);
  expect(changes(() => known.share({ key: 'b', uri: 'x:1' }))).toBe(true);
  expect(changes(() => known.share({ key: 'b', uri: 'x:1' }))).toBe(false);
  expect(changes(() => known.take({ released: 'a' }))).toBe(true);
  expect(changes(() => known.clear())).toBe(true);
});

test('templates follow the lists, and whoever shared a uri is forgotten with its owner', () => {
  const known = new KnownUris();
  known.take({ key: 'a', uri: 'x:{id}' });
  expect(known.templates()).toEqual([{ key: 'a', uri: 'x:{id}' }]);
  expect(known.templates()).toBe(known.templates());
  known.take({ key: 'b', uri: 'y:{id}' });
  expect(known.templates()).toHaveLength(2);
  known.share({ key: 'b', uri: 'x:{id}' });
  expect(known.isShared({ key: 'b', uri: 'x:{id}' })).toBe(true);
  known.take({ released: 'a' });
  expect(known.templates()).toEqual([{ key: 'b', uri: 'y:{id}' }]);
  expect(known.isShared({ key: 'b', uri: 'x:{id}' })).toBe(false);
  known.clear();
  expect([known.templates(), [...known.owners()]]).toEqual([[], []]);
});
