import { expect, test } from 'vitest';
import { isBeyondLoopback, readHostPort, shownHostPort } from '../../../../src/core/addresses/host-port.ts';

test.each([
  ['127.0.0.1:8080', '127.0.0.1:8080'],
  [' 127.0.0.1:8080 ', '127.0.0.1:8080'],
  [':8080', '127.0.0.1:8080'],
  ['localhost:9', '127.0.0.1:9'],
  ['LOCALHOST:9', '127.0.0.1:9'],
  ['[::1]:0', '[::1]:0'],
  ['127.1.2.3:65535', '127.1.2.3:65535'],
])('%s is %s, on this machine', (text, shown) => {
  const address = readHostPort(text)!;
  expect(shownHostPort(address)).toBe(shown);
  expect(isBeyondLoopback(address)).toBe(false);
});

test.each([
  '0.0.0.0:8080',
  '[::]:8080',
  '192.168.1.5:80',
  'my-box:80',
  'localhost.example.com:80',
  '[::ffff:127.0.0.1]:80',
  // Not every system takes these for 127.0.0.1; none of them is written so by honest people.
  '127.1:80',
  '2130706433:80',
  '0:80',
])('%s can be reached from elsewhere', (text) => {
  expect(isBeyondLoopback(readHostPort(text)!)).toBe(true);
});

test.each([
  '',
  '8080',
  '127.0.0.1',
  '127.0.0.1:',
  '127.0.0.1:65536',
  '127.0.0.1:-1',
  '127.0.0.1:80a',
  '::1:80',
  '[127.0.0.1]:80',
  '[::1',
  '[1.2]:80',
  'http://127.0.0.1:80',
  'user@127.0.0.1:80',
  '127.0.0.1:80/ws',
  'a b:80',
])('%j is no address', (text) => {
  expect(readHostPort(text)).toBe(undefined);
});
