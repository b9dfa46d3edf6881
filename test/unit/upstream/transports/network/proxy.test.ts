import { describe, expect, test } from 'vitest';
import { proxyFor } from '../../../../../src/upstream/transports/network/proxy.ts';

const proxyOf = (url: string, env: Record<string, string>): string | undefined => proxyFor(new URL(url), env)?.href;

describe('which proxy a url is reached by', () => {
  const BOTH = { HTTP_PROXY: 'http://one:1', HTTPS_PROXY: 'http://two:2' };

  test.each<[string, Record<string, string>, string | undefined]>([
    ['http://a.test/', {}, undefined],
    ['http://a.test/', BOTH, 'http://one:1/'],
    ['https://a.test/', BOTH, 'http://two:2/'],
    ['ws://a.test/', BOTH, 'http://one:1/'],
    ['wss://a.test/', BOTH, 'http://two:2/'],
    ['http://a.test/', { HTTPS_PROXY: 'http://two:2' }, undefined],
    ['http://a.test/', { ALL_PROXY: 'http://all:3' }, 'http://all:3/'],
    ['http://a.test/', { ...BOTH, ALL_PROXY: 'http://all:3' }, 'http://one:1/'],
    ['http://a.test/', { ...BOTH, http_proxy: 'https://small:4' }, 'https://small:4/'],
    ['http://a.test/', { ...BOTH, http_proxy: '' }, 'http://one:1/'],
    ['http://a.test/', { http_proxy: 'plain:3128' }, 'http://plain:3128/'],
    ['http://a.test/', { http_proxy: 'me:secret@plain:3128' }, 'http://me:secret@plain:3128/'],
  ])('%s with %o', (url, env, proxy) => expect(proxyOf(url, env)).toBe(proxy));

  test.each([
    'http://localhost:9/',
    'http://x.localhost/',
    'https://127.0.0.1/',
    'http://127.9.9.9/',
    'http://[::1]:8/',
    'http://0.0.0.0:8/',
    'http://[::]:8/',
  ])('%s is on this machine: none', (url) => expect(proxyOf(url, { ...BOTH, NO_PROXY: '' })).toBeUndefined());
});

describe('NO_PROXY', () => {
  const isExcepted = (url: string, list: string, name = 'NO_PROXY') =>
    proxyOf(url, { ALL_PROXY: 'http://p:1', [name]: list }) === undefined;

  test.each([
    ['http://a.test/', 'a.test'],
    ['http://A.test/', 'x, a.TEST'],
    ['http://b.a.test/', 'a.test'],
    ['http://b.a.test/', '.a.test'],
    ['http://b.a.test/', '*.a.test'],
    ['http://a.test/', '*'],
    ['http://a.test/', 'x *'],
    ['https://a.test/', 'a.test:443'],
    ['http://a.test:8080/', 'a.test:8080'],
    ['http://10.1.2.3/', '10.1.2.3'],
    ['http://10.1.2.3/', '10.0.0.0/8'],
    ['http://[fd00::1]/', 'fd00::1'],
    ['http://[fd00::1]/', 'fd00::/8'],
    ['http://[fd00::1]:81/', '[fd00::1]:81'],
  ])('%s is excepted by %s', (url, list) => {
    expect(isExcepted(url, list)).toBe(true);
    expect(isExcepted(url, list, 'no_proxy')).toBe(true);
  });

  test.each([
    ['http://a.test/', ''],
    ['http://nota.test/', 'a.test'],
    ['http://a.test/', 'b.a.test'],
    ['http://a.test/', 'a.test:8080'],
    ['http://10.1.2.3/', '2.3'],
    ['http://11.1.2.3/', '10.0.0.0/8'],
    ['http://10.1.2.3/', '10.0.0.0/99'],
    ['http://a.test/', '10.0.0.0/8'],
    ['http://[fd00::1]/', '10.0.0.0/8'],
  ])('%s is not excepted by "%s"', (url, list) => expect(isExcepted(url, list)).toBe(false));
});

test.each(['socks5://secret:secret@p:1080', 'ftp://p', 'http://'])(
  'a proxy that cannot be used says so: %s',
  (proxy) => {
    const find = () => proxyOf('http://a.test/', { ALL_PROXY: proxy });
    expect(find).toThrow(
      /the proxy in ALL_PROXY .*: give one that begins with http:\/\/, or put a\.test into NO_PROXY/,
    );
    expect(find).not.toThrow(/secret/);
  },
);

test('a proxy whose password is not spelt as urls want it says so, without the password', () => {
  const find = () => proxyOf('http://a.test/', { HTTP_PROXY: 'http://me:100%secret@p:1' });
  expect(find).toThrow('the user or password of the proxy in HTTP_PROXY has a "%" that must be written as "%25"');
});
