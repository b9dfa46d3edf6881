import type { lookup } from 'node:dns';
import type { TLSSocket } from 'node:tls';
import { describe, expect, test } from 'vitest';
import { BlockedUrlError, type GuardOptions, guardedFetch } from '../../../../src/upstream/auth/guarded-fetch.ts';
import { certificateOf } from '../../../support/auth/certificates.ts';
import { startForwardProxy } from '../../../support/http/forward-proxy.ts';
import { sendJson, startHttpServer } from '../../../support/http/http-server.ts';

const of = (entry: GuardOptions['entry'], env: GuardOptions['env'] = {}): GuardOptions => ({ entry, env });
const PUBLIC = of({ url: 'https://mcp.example.com/mcp' });

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
    await expect(ask('https://as.example.com/')).rejects.toThrow('it is not a public address');
  });

  test('of the addresses of a name only the public ones are dialled', async () => {
    const canary = await startHttpServer((_request, response) => sendJson(response, {}));
    const ask = guardedFetch(PUBLIC, resolver('127.0.0.1', '::1'));
    await expect(ask(`https://as.example.com:${canary.port}/`)).rejects.toThrow(BlockedUrlError);
    expect(canary.requests).toEqual([]);
  });
});

describe('an upstream on this machine', () => {
  test('may name servers by a name that leads here', async () => {
    const server = await startHttpServer((_request, response) => sendJson(response, { ok: true }));
    const ask = guardedFetch(of({ url: 'http://localhost:9/mcp' }), resolver('10.0.0.1', '127.0.0.1'));
    expect(await (await ask(`http://localhost:${server.port}/`)).json()).toEqual({ ok: true });
  });

  test('hears why a name could not be looked up', async () => {
    const failing = ((_name: string, _options: unknown, done: (error: Error) => void) =>
      done(new Error('no such name'))) as unknown as typeof lookup;
    const ask = guardedFetch(of({ url: 'http://localhost:9/mcp' }), failing);
    await expect(ask('http://localhost:9/')).rejects.toMatchObject({ cause: { message: 'no such name' } });
  });

  test('may name servers on this machine', async () => {
    const server = await startHttpServer((_request, response) => sendJson(response, { ok: true }));
    const ask = guardedFetch(of({ url: 'http://localhost:9/mcp' }));
    expect(await (await ask(server.url)).json()).toEqual({ ok: true });
  });

  test.each(['https://10.0.0.1/', 'https://169.254.169.254/', 'http://10.0.0.1/', 'http://as.example.com/'])(
    'but not %s',
    async (url) => {
      await expect(guardedFetch(of({ url: 'http://127.0.0.1:9/mcp' }))(url)).rejects.toThrow(BlockedUrlError);
    },
  );
});

test('what the config names may be anywhere, by https', async () => {
  const ask = guardedFetch(
    of({ ...PUBLIC.entry, auth: { type: 'oauth', isWritten: true, issuer: 'https://10.255.255.1:9/realm' } }),
    resolver('10.0.0.1'),
  );
  await expect(ask('https://10.255.255.2/')).rejects.toThrow(BlockedUrlError);
  const dead = guardedFetch(of({ url: 'https://127.0.0.1:9/mcp' }));
  await expect(dead('https://127.0.0.1:9/token')).rejects.toThrow('cannot be reached (ECONNREFUSED)');
});

test('a redirect is given back and not followed', async () => {
  const canary = await startHttpServer((_request, response) => sendJson(response, {}));
  const server = await startHttpServer((_request, response) => {
    response.writeHead(302, { location: canary.url }).end();
  });
  const response = await guardedFetch(of({ url: server.url }))(server.url);
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
  await expect(guardedFetch(of({ url: server.url }))(server.url)).rejects.toThrow('too large');
});

test('an issuer of the config on this machine does not let a distant upstream in there', async () => {
  const server = await startHttpServer((_request, response) => sendJson(response, { ok: true }));
  const canary = await startHttpServer((_request, response) => sendJson(response, {}));
  const auth = { type: 'oauth', isWritten: true, issuer: server.url } as const;
  const ask = guardedFetch(of({ ...PUBLIC.entry, auth }));
  expect((await ask(server.url)).status).toBe(200);
  await expect(ask(canary.url)).rejects.toThrow(BlockedUrlError);
  expect(canary.requests).toEqual([]);
});

test('who gives up hears their own reason', async () => {
  const server = await startHttpServer(() => undefined);
  const waiting = new AbortController();
  const asked = guardedFetch(of({ url: server.url }))(server.url, { signal: waiting.signal });
  await expect.poll(() => server.requests.length).toBe(1);
  waiting.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
});

describe('with certificates of a private authority', () => {
  const authority = certificateOf('an authority', { isAuthority: true });
  const certificate = certificateOf('a server', { by: authority, hosts: ['127.0.0.1', 'as.example.com'] });
  const asksUs = { ca: authority.cert, requestCert: true, rejectUnauthorized: false };
  const serve = () =>
    startHttpServer(
      (_request, response, { socket }) => {
        sendJson(response, { client: (socket as TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody' });
      },
      0,
      { tls: { cert: certificate.cert, key: certificate.key, ...asksUs } },
    );
  const client = certificateOf('we', { by: authority });
  const tls = { ca: authority.cert, cert: client.cert, key: client.key, verify: true };

  test('the upstream and its authorization server are trusted; only the upstream sees our certificate', async () => {
    const [upstream, other] = [await serve(), await serve()];
    const ask = guardedFetch(of({ url: upstream.url, tls }));
    expect(await (await ask(upstream.url)).json()).toEqual({ client: 'we' });
    expect(await (await ask(other.url)).json()).toEqual({ client: 'nobody' });
  });

  test('what is not checked of the upstream is checked of others', async () => {
    const [upstream, other] = [await serve(), await serve()];
    const ask = guardedFetch(of({ url: upstream.url, tls: { verify: false } }));
    expect((await ask(upstream.url)).status).toBe(200);
    await expect(ask(other.url)).rejects.toThrow('authority that is not known here');
    expect(other.requests).toEqual([]);
  });

  test('files that cannot be read say so', async () => {
    const ask = guardedFetch(of({ url: 'https://127.0.0.1:9/mcp', tls: { ca: '/nowhere/ca.pem', verify: true } }));
    for (const url of ['https://127.0.0.1:9/', 'https://127.0.0.1:8/'])
      await expect(ask(url)).rejects.toThrow(/"tls.ca" of its entry, \/nowhere\/ca.pem, cannot be read/);
  });

  describe('behind a proxy', () => {
    const behind = async (credentials = 'me:swordfish', given = credentials) => {
      const server = await serve();
      const proxy = await startForwardProxy({ target: server.port, credentials });
      const env = { https_proxy: `http://${given}@127.0.0.1:${proxy.port}` };
      const nobody = (() => expect.unreachable('a name was looked up')) as unknown as typeof lookup;
      return { server, proxy, env, ask: guardedFetch(of({ ...PUBLIC.entry, tls }, env), nobody) };
    };

    test('the proxy makes a tunnel, and looks the name up', async () => {
      const { ask, proxy, server } = await behind();
      const answer = await ask('https://as.example.com/token', { method: 'POST', body: '{}' });
      expect(await answer.json()).toEqual({ client: 'nobody' });
      expect(proxy.seen).toEqual(['CONNECT as.example.com:443']);
      expect(server.requests).toMatchObject([{ method: 'POST', path: '/token', body: '{}' }]);
      expect(server.requests[0]!.headers).not.toHaveProperty('proxy-authorization');
    });

    test.each([
      'https://10.0.0.1/',
      'https://[fd00::1]/',
      'https://intranet/',
      'https://intranet./',
      'https://metadata.google.internal/',
      'https://printer.local/',
      'https://router.home.arpa./',
    ])('%s is not asked for', async (url) => {
      const { ask, proxy } = await behind();
      await expect(ask(url)).rejects.toThrow(BlockedUrlError);
      expect(proxy.seen).toEqual([]);
    });

    test('an authorization server that the config names may have any name', async () => {
      const { env, proxy } = await behind();
      const auth = { type: 'oauth', isWritten: true, issuer: 'https://login.corp/realm' } as const;
      await expect(guardedFetch(of({ ...PUBLIC.entry, tls, auth }, env))('https://login.corp/')).rejects.toThrow(
        'is for another host',
      );
      expect(proxy.seen).toEqual(['CONNECT login.corp:443']);
    });

    test('a proxy that refuses cannot answer in place of the server', async () => {
      const { ask, server } = await behind('me:swordfish', 'me:wrongfish');
      await expect(ask('https://as.example.com/')).rejects.toThrow(
        /cannot be reached \(HTTP 407 of the proxy.*by way of the proxy http:\/\/127/,
      );
      expect(server.requests).toEqual([]);
    });

    test('a proxy that cannot be used is named', async () => {
      const ask = guardedFetch(of(PUBLIC.entry, { HTTPS_PROXY: 'socks5://127.0.0.1:9' }));
      await expect(ask('https://as.example.com/')).rejects.toThrow('the proxy in HTTPS_PROXY begins with socks5');
    });
  });
});
