import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { UriOwners } from '../../../../src/catalogue/uris/uri-owners.ts';
import type { UriLog, UriRecord } from '../../../../src/core/uris/uri-log.ts';

/** A log that several gateways share. */
class SharedLog {
  records: UriRecord[] = [];
  generation = 0;

  open(): UriLog {
    let seen = 0;
    let generation = this.generation;
    return {
      read: () => {
        generation = this.generation;
        seen = this.records.length;
        return [...this.records];
      },
      append: (records) => {
        if (generation !== this.generation) return undefined;
        this.records.push(...records);
        const news = this.records.slice(seen);
        seen = this.records.length;
        return news;
      },
      replace: (records) => {
        this.records = [...records];
        generation = ++this.generation;
        seen = records.length;
      },
    };
  }
}

const list = (owners: UriOwners, key: string, ...uris: string[]) => owners.onListed(uris.map((uri) => ({ key, uri })));

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('the owner of a uri', () => {
  test('is the upstream that lists it first, whoever lists it later', () => {
    const owners = new UriOwners();
    list(owners, 'b', 'file:///x', 'ui://app');
    list(owners, 'a', 'file:///x', 'file:///y');
    expect(['file:///x', 'ui://app', 'file:///y'].map((uri) => owners.ownerOf(uri))).toEqual(['b', 'b', 'a']);
    expect(owners.publicUri('b', 'file:///x')).toBe('file:///x');
    expect(owners.publicUri('a', 'file:///x')).toBe('viaduct://a/file:///x');
    expect(owners.publicUri('b', 'ui://app')).toBe('ui://b/app');
  });

  test('is the same after a restart, in whatever order upstreams come then', () => {
    const log = new SharedLog();
    list(new UriOwners(log.open()), 'b', 'file:///x');
    const later = new UriOwners(log.open());
    list(later, 'a', 'file:///x');
    list(later, 'b', 'file:///x');
    expect(later.ownerOf('file:///x')).toBe('b');
    expect(log.records).toHaveLength(1);
  });

  test('changes when its entry has left the config, and not before', () => {
    const log = new SharedLog();
    const owners = new UriOwners(log.open());
    list(owners, 'a', 'file:///x');
    list(owners, 'b', 'file:///x', 'file:///y');
    owners.keepOnly(new Set(['a', 'b']));
    expect(log.records).toHaveLength(2);
    owners.keepOnly(new Set(['b']));
    expect(owners.ownerOf('file:///x')).toBeUndefined();
    list(owners, 'b', 'file:///x');
    for (const one of [owners, new UriOwners(log.open())])
      expect(['file:///x', 'file:///y'].map((uri) => one.ownerOf(uri))).toEqual(['b', 'b']);
  });

  test('is the same for all gateways of a config that run at once: the log decides', () => {
    const log = new SharedLog();
    const [one, two] = [new UriOwners(log.open()), new UriOwners(log.open())];
    list(one, 'a', 'file:///x');
    list(two, 'b', 'file:///x', 'file:///y');
    expect([one.ownerOf('file:///x'), two.ownerOf('file:///x')]).toEqual(['a', 'a']);
    list(one, 'a', 'file:///y', 'file:///z');
    expect([one.ownerOf('file:///y'), one.ownerOf('file:///z')]).toEqual(['b', 'a']);
  });
});

describe('a uri that is named and not listed', () => {
  test('leads to whoever names it first, if it is an address, and stays as it is for all', () => {
    const log = new SharedLog();
    const owners = new UriOwners(log.open());
    for (const key of ['b', 'a'])
      for (const uri of ['file:///out.png', 'data:text/plain,x']) expect(owners.publicUri(key, uri)).toBe(uri);
    expect([owners.ownerOf('file:///out.png'), owners.ownerOf('data:text/plain,x')]).toEqual(['b', undefined]);
    expect(log.records).toEqual([]);
    vi.runAllTimers();
    expect(log.records).toEqual([{ key: 'b', digest: expect.stringMatching(/^[\w-]{22}$/) }]);
    expect(new UriOwners(log.open()).ownerOf('file:///out.png')).toBe('b');
  });

  test('is written a moment later, each time again', () => {
    const log = new SharedLog();
    const owners = new UriOwners(log.open());
    for (const uri of ['file:///first', 'file:///second']) {
      owners.publicUri('a', uri);
      vi.runAllTimers();
      expect(new UriOwners(log.open()).ownerOf(uri)).toBe('a');
    }
  });

  test('stays with its owner when another upstream lists it, under a uri that names that one', () => {
    const log = new SharedLog();
    const owners = new UriOwners(log.open());
    owners.publicUri('b', 'file:///out.png');
    list(owners, 'a', 'file:///out.png');
    list(owners, 'b', 'file:///out.png');
    for (const one of [owners, new UriOwners(log.open())]) {
      expect(one.ownerOf('file:///out.png')).toBe('b');
      expect(one.publicUri('a', 'file:///out.png')).toBe('viaduct://a/file:///out.png');
    }
  });

  test('names its owner in answers of others from the moment at which the owner lists it', () => {
    const owners = new UriOwners();
    expect(owners.publicUri('a', 'https://example.com')).toBe('https://example.com');
    list(owners, 'a', 'https://example.com');
    expect(owners.publicUri('b', 'https://example.com')).toBe('viaduct://b/https://example.com');
  });

  test('is given up when another gateway was faster to write', () => {
    const log = new SharedLog();
    const [one, two] = [new UriOwners(log.open()), new UriOwners(log.open())];
    one.onNamed('a', 'memo://1');
    two.onNamed('b', 'memo://1');
    two.flush();
    one.flush();
    expect([one.ownerOf('memo://1'), two.ownerOf('memo://1')]).toEqual(['b', 'b']);
  });

  test('is forgotten when there are too many, the oldest first; what is listed stays', () => {
    const owners = new UriOwners();
    list(owners, 'b', 'file:///listed');
    for (let index = 0; index < 10_001; index++) owners.onNamed('b', `file:///${index}`);
    expect(['file:///listed', 'file:///0', 'file:///1'].map((uri) => owners.ownerOf(uri))).toEqual([
      'b',
      undefined,
      'b',
    ]);
  });

  test('goes with the entry of its owner', () => {
    const owners = new UriOwners();
    owners.onNamed('b', 'file:///x');
    owners.keepOnly(new Set(['a']));
    expect(owners.ownerOf('file:///x')).toBeUndefined();
  });
});

test('the log is written anew when most of it means nothing any more, and other gateways go over to it', () => {
  const log = new SharedLog();
  const [one, two] = [new UriOwners(log.open()), new UriOwners(log.open())];
  list(two, 'a', 'file:///of-two');
  for (let index = 0; index < 31_000; index++) {
    one.onNamed('b', `file:///${index}`);
    if (index % 1_000 === 0) one.flush();
  }
  one.flush();
  expect(log.generation).toBeGreaterThan(0);
  expect(log.records.length).toBeLessThan(21_000);
  list(two, 'a', 'file:///30999', 'file:///late');
  expect(['file:///30999', 'file:///late', 'file:///of-two'].map((uri) => two.ownerOf(uri))).toEqual(['b', 'a', 'a']);
});

test('a public uri never means two things, and never changes while entries stay', () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    uri: fc.constantFrom(
      'file:///x',
      'file:///y',
      'ui://x',
      'ui://a/x',
      'ui://b/x',
      'urn:x',
      'x',
      'viaduct://a/file:///x',
    ),
    what: fc.constantFrom('list', 'name', 'restart'),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const log = new SharedLog();
      let owners = new UriOwners(log.open());
      const given = new Map<string, string>();
      for (const { key, uri, what } of steps) {
        if (what === 'restart') {
          owners.flush();
          owners = new UriOwners(log.open());
          continue;
        }
        if (what === 'list') list(owners, key, uri);
        const shown = owners.publicUri(key, uri);
        // A uri that is in no list is unambiguous only as long as one upstream names it.
        if (what === 'name' && shown === uri) continue;
        const meaning = `${key} ${uri}`;
        expect(given.get(shown) ?? meaning).toBe(meaning);
        given.set(shown, meaning);
        expect([...given].filter(([, one]) => one === meaning)).toHaveLength(1);
      }
    }),
    { numRuns: 500 },
  );
});
