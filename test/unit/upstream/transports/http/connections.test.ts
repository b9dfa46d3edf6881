import { createServer, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { UpstreamTls } from '../../../../../src/core/settings/upstream-entry.ts';
import { certificateOf } from '../../../../support/auth/certificates.ts';
import { startForwardProxy } from '../../../../support/http/forward-proxy.ts';
import { type Answer, sendJson, startHttpServer } from '../../../../support/http/http-server.ts';
import { modernCall, open } from './opened.ts';

const answer: Answer = (request, response) =>
  sendJson(response, { jsonrpc: '2.0', id: request.message.id, result: { from: 'the server' } });
const ANSWERED = '{"jsonrpc":"2.0","id":1,"result":{"from":"the server"}}';

async function call(url: string, options: Parameters<typeof open>[1] = {}) {
  const connection = await open(url, options);
  connection.send(modernCall(1, 'x'));
  await expect.poll(() => connection.frames.length + connection.failures.length).toBe(1);
  return connection;
}

describe('TLS', () => {
  const authority = certificateOf('an authority', { isAuthority: true });
  const good = certificateOf('the server', { by: authority, hosts: ['localhost', '127.0.0.1'] });
  const tls = (changes: Partial<UpstreamTls> = {}): { tls: UpstreamTls } => ({
    tls: { ca: authority.cert, verify: true, ...changes },
  });
  const serve = (certificate = good, more: object = {}) =>
    startHttpServer(answer, 0, { tls: { cert: certificate.cert, key: certificate.key, ...more } });

  test('a server is trusted whose authority the entry names', async () => {
    const server = await serve();
    expect((await call(server.url, tls())).frames).toEqual([ANSWERED]);
  });

  test.each<[string, ReturnType<typeof certificateOf>, object, string]>([
    ['one of an unknown authority', good, {}, 'its certificate is of an authority that is not known here'],
    ['one that signs itself', certificateOf('it', { hosts: ['127.0.0.1'] }), {}, 'its certificate is signed by itself'],
    [
      'one that has expired',
      certificateOf('old', { by: authority, hosts: ['127.0.0.1'], notAfter: new Date(Date.now() - 1_000) }),
      tls(),
      'its certificate has expired',
    ],
    [
      'one for another host',
      certificateOf('other', { by: authority, hosts: ['other.test'] }),
      tls(),
      'its certificate is for another host',
    ],
  ])('%s is refused, and the reason says so', async (_what, certificate, options, reason) => {
    const server = await serve(certificate);
    const { failures, closed } = await call(server.url, options);
    expect(closed).toEqual([expect.stringContaining(reason)]);
    expect(failures).toMatchObject([{ code: 'UPSTREAM_NOT_CONNECTED', effect: 'none' }]);
    expect(server.requests).toEqual([]);
  });

  test('`verify: false` takes any', async () => {
    const server = await serve(certificateOf('it'));
    expect((await call(server.url, { tls: { verify: false } })).frames).toEqual([ANSWERED]);
  });

  test('`serverName` is whom the certificate must be for', async () => {
    const server = await serve(certificateOf('other', { by: authority, hosts: ['other.test'] }));
    expect((await call(server.url, tls({ serverName: 'other.test' }))).frames).toEqual([ANSWERED]);
  });

  describe.each(['TLSv1.2', 'TLSv1.3'] as const)('a server that wants our certificate, by %s', (maxVersion) => {
    const strict = { ca: authority.cert, requestCert: true, rejectUnauthorized: true, maxVersion };

    test('gets it', async () => {
      const { cert, key } = certificateOf('client', { by: authority });
      let seen: unknown;
      const server = await startHttpServer(
        (request, response, raw) => {
          seen = (raw.socket as TLSSocket).getPeerCertificate().subject.CN;
          answer(request, response, raw);
        },
        0,
        { tls: { cert: good.cert, key: good.key, ...strict } },
      );
      expect((await call(server.url, tls({ cert, key }))).frames).toEqual([ANSWERED]);
      expect(seen).toBe('client');
    });

    test('is not reached without', async () => {
      const server = await serve(good, strict);
      const { failures, closed } = await call(server.url, tls());
      expect(closed).toEqual([expect.stringContaining('perhaps it wants a certificate of ours')]);
      expect(failures).toMatchObject([{ code: 'UPSTREAM_NOT_CONNECTED', effect: 'none' }]);
    });
  });

  test('a server without TLS at a secure url is recognised', async () => {
    const server = await startHttpServer(answer);
    const { closed } = await call(server.url.replace('http:', 'https:'));
    expect(closed).toEqual([expect.stringContaining('it does not speak TLS there')]);
  });

  test.each<[Partial<UpstreamTls>, RegExp]>([
    [{ ca: '/nowhere/ca.pem' }, /the file "tls.ca" of its entry, \/nowhere\/ca.pem, cannot be read \(ENOENT\)/],
    [{ cert: '-----BEGIN CERTIFICATE-----\nx\n' }, /the certificates under "tls" of its entry cannot be used/],
    [{ ca: undefined, cert: good.cert, key: authority.key }, /cannot be used .*KEY_VALUES_MISMATCH/],
  ])('files that cannot be used say why: %o', async (changes, reason) => {
    await expect(open('https://a.test/', tls(changes))).rejects.toThrow(reason);
  });
});

describe('a proxy of the environment', () => {
  const authority = certificateOf('an authority', { isAuthority: true });
  const certificate = certificateOf('the server', { by: authority, hosts: ['far.test'] });
  const tls: UpstreamTls = { ca: authority.cert, verify: true };
  const serveTls = () => startHttpServer(answer, 0, { tls: { cert: certificate.cert, key: certificate.key } });

  test('is asked for the whole url, on each request', async () => {
    const server = await startHttpServer(answer);
    const proxy = await startForwardProxy({ target: server.port, credentials: 'me:sword:fish' });
    const env = { HTTP_PROXY: `http://me:sword%3Afish@127.0.0.1:${proxy.port}` };
    const { send, frames } = await call('http://far.test/mcp', { env });
    send(modernCall(2, 'x'));
    await expect.poll(() => frames.length).toBe(2);
    expect(proxy.seen).toEqual(['POST http://far.test/mcp', 'POST http://far.test/mcp']);
    expect(server.requests[0]!.headers).toMatchObject({ host: 'far.test', 'mcp-name': 'x' });
  });

  test('makes a tunnel to a secure url, and sees nothing of it', async () => {
    const server = await serveTls();
    const proxy = await startForwardProxy({ target: server.port, credentials: 'me:swordfish' });
    const env = { https_proxy: `http://me:swordfish@127.0.0.1:${proxy.port}` };
    const { send, frames } = await call('https://far.test/mcp', { env, tls });
    send(modernCall(2, 'x'));
    await expect.poll(() => frames.length).toBe(2);
    expect(frames[0]).toBe(ANSWERED);
    expect(proxy.seen).toEqual(['CONNECT far.test:443']);
    expect(server.requests[0]!.headers).not.toHaveProperty('proxy-authorization');
  });

  test('that opens no tunnel cannot answer in place of the server', async () => {
    const server = await serveTls();
    const proxy = await startForwardProxy({ target: server.port, credentials: 'me:swordfish' });
    const env = { https_proxy: `http://me:wrongfish@127.0.0.1:${proxy.port}` };
    const { frames, failures, closed } = await call('https://far.test/mcp', { env, tls });
    expect(frames).toEqual([]);
    expect(failures).toMatchObject([{ code: 'UPSTREAM_NOT_CONNECTED', effect: 'none' }]);
    expect(closed).toEqual([expect.stringContaining('HTTP 407 of the proxy')]);
    expect(closed[0]).not.toContain('fish');
    expect(server.requests).toEqual([]);
  });

  test('that wants to know who we are says so', async () => {
    const server = await startHttpServer(answer);
    const proxy = await startForwardProxy({ target: server.port, credentials: 'me:swordfish' });
    const { failures } = await call('http://far.test/mcp', { env: { HTTP_PROXY: `127.0.0.1:${proxy.port}` } });
    expect(failures).toMatchObject([
      { code: 'UPSTREAM_REFUSED', status: 407, effect: 'none', reason: expect.stringContaining('the proxy asks') },
    ]);
  });

  test('that is not there is named', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => server.close(resolve));
    const env = { ALL_PROXY: `http://me:swordfish@127.0.0.1:${port}` };
    for (const url of ['http://far.test/mcp', 'https://far.test/mcp']) {
      const { closed } = await call(url, { env });
      expect(closed).toEqual([`connection refused; by way of the proxy http://127.0.0.1:${port}`]);
    }
  });

  test('is not asked for this machine', async () => {
    const server = await startHttpServer(answer);
    const { frames } = await call(server.url, { env: { HTTP_PROXY: 'http://127.0.0.1:1', ALL_PROXY: 'socks5://x' } });
    expect(frames).toEqual([ANSWERED]);
  });
});

/** Whether this machine has IPv6 at all. */
const hasIpv6 = await new Promise<boolean>((resolve) => {
  const server = createServer();
  server.once('error', () => resolve(false)).listen(0, '::1', () => server.close(() => resolve(true)));
});

describe('addresses', () => {
  test.skipIf(!hasIpv6)('one of IPv6 in brackets', async () => {
    const server = await startHttpServer(answer, 0, { host: '::1' });
    expect(server.url).toContain('http://[::1]:');
    expect((await call(server.url)).frames).toEqual([ANSWERED]);
    expect(server.requests[0]!.headers.host).toBe(`[::1]:${server.port}`);
  });

  test('localhost finds a server that listens on 127.0.0.1 only', async () => {
    const server = await startHttpServer(answer);
    expect((await call(`http://localhost:${server.port}/mcp`)).frames).toEqual([ANSWERED]);
  });

  test.skipIf(!hasIpv6)('localhost finds a server that listens on ::1 only', async () => {
    const server = await startHttpServer(answer, 0, { host: '::1' });
    expect((await call(`http://localhost:${server.port}/mcp`)).frames).toEqual([ANSWERED]);
  });

  test('localhost where nobody listens is a refused connection', async () => {
    const server = await startHttpServer(answer);
    await server.stop();
    expect((await call(`http://localhost:${server.port}/mcp`)).closed).toEqual(['connection refused']);
  });
});

test('an open connection is held by keep-alive probes', async () => {
  const server = await startHttpServer(answer);
  const spy = vi.spyOn(Socket.prototype, 'setKeepAlive');
  onTestFinished(() => spy.mockRestore());
  await call(server.url);
  expect(spy).toHaveBeenCalledWith(true, 30_000);
});
