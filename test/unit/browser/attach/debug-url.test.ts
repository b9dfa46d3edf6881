import { expect, test } from 'vitest';
import { parseDebugUrl } from '../../../../src/browser/attach/debug-url.ts';

test.each([
  ['http://localhost:9222', { host: 'localhost', port: 9222, authority: 'localhost:9222' }],
  ['http://127.0.0.1:9222/', { host: '127.0.0.1', port: 9222, authority: '127.0.0.1:9222' }],
  ['http://[::1]:9222', { host: '::1', port: 9222, authority: '[::1]:9222' }],
  ['http://DEVBOX:80', { host: 'devbox', port: 80, authority: 'devbox:80' }],
])('%s is read', (text, address) => {
  expect(parseDebugUrl(text, ['devbox'])).toEqual(address);
});

test.each([
  ['', 'must be http://HOST:PORT'],
  ['127.0.0.1:9222', 'must be http://HOST:PORT'],
  ['ws://127.0.0.1:9222', 'must be http://HOST:PORT'],
  ['https://127.0.0.1:9222', 'must be http://HOST:PORT'],
  ['file:///tmp', 'must be http://HOST:PORT'],
  ['http://user@127.0.0.1:9222', 'must not have a user'],
  ['http://:pw@127.0.0.1:9222', 'must not have a user'],
  ['http://127.0.0.1:9222/json', 'must end after the port'],
  ['http://127.0.0.1:9222?a', 'must end after the port'],
  ['http://192.168.1.2:9222', 'must lead to this machine'],
  ['http://127.0.0.1.example.com:9222', 'must lead to this machine'],
  ['http://169.254.169.254', 'must lead to this machine'],
])('%s is refused', (text, why) => {
  expect(() => parseDebugUrl(text, ['devbox'])).toThrow(`failed to connect: debug_url ${why}`);
});
