import type { lookup } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { BlockedUrlError, guardedFetch } from '../../../../src/upstream/auth/guarded-fetch.ts';
import { sendJson, startHttpServer } from '../../../support/http-server.ts';

const PUBLIC = { url: 'https://mcp.example.com/mcp' };

/** A resolver that knows one answer. */
const resolver = (...addresses: string[]): typeof lookup =>
  ((_name: string, _options: unknown, done: (error: null, found: object[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup;

/** What a `URL` makes of each is an address, or a name that only a resolver knows. */
const SPELLINGS = [
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.0.0.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://0x7f.1/',
  'https://127.0.0.1./',
  'https://①②⑦.0.0.1/',
  'https://127。0。0。1/',
  'https://0/',
  'https://0.0.0.0/',
  'https://10.1.2.3/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/',
  'https://2852039166/',
  'https://192.168.0.1/',
  'https://172.16.5.4:8443/',
  'https://100.64.0.1/',
  'https://[::1]/',
  'https://[::]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::127.0.0.1]/',
  'https://[2002:7f00:1::]/',
  'https://[2002:c0a8:1::]/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://[fec0::1]/',
  'https://[2001:db8::1]/',
  'https://user:password@127.0.0.1/',
];

describe('a url that an upstream on the internet names', () => {
  test.each(SPELLINGS)('%s is not asked', async (url) => {
    await expect(guardedFetch(PUBLIC)(url)).rejects.toThrow(BlockedUrlError);
  });

  test.each([
    'http://as.example.com/',
    'http://localhost/',
    'ftp://as.example.com/',
    'file:///etc/passwd',
    'data:application/json,{}',
  ])('%s is not asked, because it is not https', async (url) => {
    await expect(guardedFetch(PUBLIC)(url)).rejects.toThrow('only https is');
  });

  test.each([
    ['127.0.0.1'],
    ['::1'],
    ['10.0.0.5'],
    ['169.254.169.254'],
    ['::ffff:192.168.1.1'],
    ['fd00::1', '10.0.0.1'],
  ])('a name that leads to %s is not asked', async (...addresses) => {
    const ask = guardedFetch(PUBLIC, resolver(...addresses));
    await expect(ask('https://as.example.com/')).rejects.toThrow('it is no public address');
  });

  test('of the addresses of a name only the public ones are dialled', async () => {
    const canary = await startHttpServer((_request, response) => sendJson(response, {}));
    const ask = guardedFetch(PUBLIC, resolver('127.0.0.1', '::1'));
    await expect(ask(`https://as.example.com:${canary.port}/`)).rejects.toThrow(BlockedUrlError);
    expect(canary.requests).toEqual([]);
  });
});

describe('an upstream on this machine', () => {
  test('may name servers on this machine', async () => {
    const server = await startHttpServer((_request, response) => sendJson(response, { ok: true }));
    const ask = guardedFetch({ url: 'http://localhost:9/mcp' });
    expect(await (await ask(server.url)).json()).toEqual({ ok: true });
  });

  test.each(['https://10.0.0.1/', 'https://169.254.169.254/', 'http://10.0.0.1/', 'http://as.example.com/'])(
    'but not %s',
    async (url) => {
      await expect(guardedFetch({ url: 'http://127.0.0.1:9/mcp' })(url)).rejects.toThrow(BlockedUrlError);
    },
  );
});

test('what the config names may be anywhere, by https', async () => {
  const ask = guardedFetch({ ...PUBLIC, issuer: 'https://10.255.255.1:9/realm' }, resolver('10.0.0.1'));
  await expect(ask('https://10.255.255.2/')).rejects.toThrow(BlockedUrlError);
  const dead = guardedFetch({ url: 'https://127.0.0.1:9/mcp' });
  await expect(dead('https://127.0.0.1:9/token')).rejects.toThrow('cannot be reached (ECONNREFUSED)');
});

test('a redirect is given back and not followed', async () => {
  const canary = await startHttpServer((_request, response) => sendJson(response, {}));
  const server = await startHttpServer((_request, response) => {
    response.writeHead(302, { location: canary.url }).end();
  });
  const response = await guardedFetch({ url: server.url })(server.url);
  expect(response.status).toBe(302);
  expect(canary.requests).toEqual([]);
});

test('an answer without end is given up', async () => {
  const server = await startHttpServer((_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
    };
    response.on('drain', write);
    write();
  });
  await expect(guardedFetch({ url: server.url })(server.url)).rejects.toThrow('too large');
});
