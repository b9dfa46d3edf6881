import { describe, expect, test } from 'vitest';
import { TRANSPORTS } from '../../../../../src/upstream/transports/manifests/index.ts';

describe('the transports of this build', () => {
  test('have names and spellings of their own, and at least one address', () => {
    expect(new Set(TRANSPORTS.spellings).size).toBe(TRANSPORTS.spellings.length);
    for (const { addresses } of TRANSPORTS.manifests) expect(Object.keys(addresses)).not.toEqual([]);
  });

  test.each(TRANSPORTS.manifests.map((manifest) => [manifest.type, manifest] as const))(
    '%s loads code that opens connections',
    async (_type, manifest) => {
      expect(await manifest.load()).toMatchObject({ open: expect.any(Function) });
    },
  );

  test.each(
    TRANSPORTS.manifests.flatMap(({ type, addresses: { url } }) => (url === undefined ? [] : [[type, url] as const])),
  )('%s has its secure schemes among its schemes', (_type, { protocols, secure = [] }) => {
    expect(protocols).toEqual(expect.arrayContaining([...secure]));
  });
});

test.each([
  [{ command: 'x' }, 'stdio'],
  [{ command: 'x', url: 'tcp://h:1' }, 'stdio'],
  [{ url: 'https://h' }, 'http'],
  [{ url: '${URL}' }, 'http'],
  [{ url: 'TCP://h:1' }, 'tcp'],
  [{ url: 'wss://h' }, 'websocket'],
  [{ url: 'http://h', type: 'sse' }, 'sse'],
  [{ url: 'http://h', type: 'streamable-http' }, 'http'],
  [{ ports: 9960 }, 'ide-rest'],
  [{}, undefined],
  [{ command: 'x', type: 'none' }, undefined],
])('the transport of %j is %s', (entry, type) => {
  expect(TRANSPORTS.forEntry(entry)?.type).toBe(type);
});

test.each([
  [{ command: 'x' }, 'env', true],
  [{ command: 'x' }, 'headers', false],
  [{ url: 'http://h' }, 'headers', true],
  [{ url: 'tcp://h:1' }, 'headers', false],
  [{ url: 'http://h', type: 'tcp' }, 'headers', false],
  [{ url: 'http://h' }, 'env', false],
  [{ ports: 1 }, 'headers', false],
  [{ ports: 1 }, 'workspace', true],
  [{ ports: 1 }, 'restart', true],
  [{}, 'env', false],
])('in %j, that %s means something is %s', (entry, name, isTaken) => {
  expect(TRANSPORTS.takes(entry, name)).toBe(isTaken);
});

test('a transport without a url has no way to try one', () => {
  expect(() => TRANSPORTS.urlOf('stdio')).toThrow('The transport "stdio" takes no url');
  expect(() => TRANSPORTS.portsOf('http')).toThrow('The transport "http" takes no ports');
});
