import { expect, test } from 'vitest';
import { listenUrl, readListenAddress } from '../../../../src/core/addresses/listen-address.ts';

test.each([
  ['127.0.0.1:9100', 'tcp://127.0.0.1:9100'],
  [':9000', 'tcp://127.0.0.1:9000'],
  [' localhost:9000 ', 'tcp://127.0.0.1:9000'],
  ['[::1]:0', 'tcp://[::1]:0'],
  ['0.0.0.0:9100', 'tcp://0.0.0.0:9100'],
  ['/run/user/1000/viaduct/mcp.sock', 'unix:///run/user/1000/viaduct/mcp.sock'],
  ['/run/./a//mcp.sock', 'unix:///run/a/mcp.sock'],
])('%j is %s', (text, url) => {
  expect(listenUrl(readListenAddress(text)!, false)).toBe(url);
});

test.each(['', '9100', '127.0.0.1', ':70000', 'run/mcp.sock', 'tcp://127.0.0.1:9100', '/run/a\0b'])(
  '%j is no address',
  (text) => {
    expect(readListenAddress(text)).toBe(undefined);
  },
);

test('an address that speaks TLS says so, a socket file never does', () => {
  expect(listenUrl({ host: '::', port: 9100 }, true)).toBe('tls://[::]:9100');
  expect(listenUrl({ path: '/run/mcp.sock' }, true)).toBe('unix:///run/mcp.sock');
});
