import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { CdpSession } from '../../../../src/browser/cdp/cdp-session.ts';
import { NetworkLog } from '../../../../src/browser/network/network-log.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { goTo, run, signal } from '../snapshot/setup.ts';

const LATIN_1 = Buffer.from([0x63, 0x61, 0x66, 0xe9]);

const ANSWERS: Readonly<
  Record<string, readonly [status: number, headers: Record<string, string>, body: string | Buffer]>
> = {
  '/': [200, { 'content-type': 'text/html' }, '<h1>Hello</h1>'],
  '/data': [200, { 'content-type': 'application/json' }, '{"a":1}'],
  '/latin': [200, { 'content-type': 'text/plain; charset=iso-8859-1' }, LATIN_1],
  '/image': [200, { 'content-type': 'image/png' }, Buffer.from([1, 2, 3])],
  '/moved': [302, { location: '/data' }, ''],
  '/wrong': [500, { 'content-type': 'text/plain' }, 'no'],
  '/worker.js': [200, { 'content-type': 'text/javascript' }, `fetch('/data?worker').then(() => postMessage('done'))`],
};

describe.skipIf(CHROMIUM === undefined)(needsChromium('the requests of a page'), () => {
  const chromium = useChromium();
  let server: Server;
  let sockets: WebSocketServer;
  beforeAll(async () => {
    server = createServer(({ url = '/' }, response) => {
      const [status, headers, body] = ANSWERS[url.split('?')[0]!] ?? [404, {}, ''];
      response.writeHead(status, headers).end(body);
    });
    sockets = new WebSocketServer({ server });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    sockets.close();
    server.closeAllConnections();
    server.close();
  });
  const at = (path: string, host = '127.0.0.1') => `http://${host}:${(server.address() as AddressInfo).port}${path}`;

  async function openPage() {
    const page = await chromium.newPage();
    await goTo(page, at('/'));
    page.network.clear();
    return page;
  }

  test('are listed with what became of them', async () => {
    const page = await chromium.newPage();
    await goTo(page, at('/'));
    await run(page, `fetch('/data').then((r) => r.text())`);
    await expect.poll(() => page.network.list({ filter: '/data', limit: 10 })[0]?.durationMs).toBeGreaterThanOrEqual(0);
    const [document] = page.network.list({ type: 'document', limit: 10 });
    expect(document).toMatchObject({
      id: 'n1',
      method: 'GET',
      url: at('/'),
      type: 'Document',
      status: 200,
      mimeType: 'text/html',
    });
    const [data] = page.network.list({ filter: '/data', limit: 10 });
    expect(data).toMatchObject({ type: 'Fetch', status: 200, statusText: 'OK', mimeType: 'application/json' });
    expect(data!.encodedBytes).toBeGreaterThan(7);
  });

  test('a redirect is a request of its own', async () => {
    const page = await openPage();
    await run(page, `fetch('/moved').then((r) => r.text())`);
    await expect.poll(() => page.network.list({ limit: 10 })[1]?.durationMs).toBeDefined();
    const [moved, data] = page.network.list({ limit: 10 });
    expect(moved).toMatchObject({ url: at('/moved'), status: 302 });
    expect(data).toMatchObject({ url: at('/data'), status: 200, redirectedFrom: moved!.id });
    await expect(page.network.body(moved!.id, 100, signal())).rejects.toThrow(`ask for ${data!.id}`);
    expect(await page.network.body(data!.id, 100, signal())).toMatchObject({ text: '{"a":1}' });
  });

  test('failures say why, and are found', async () => {
    const page = await openPage();
    await run(
      page,
      `Promise.allSettled([fetch('/data'), fetch('/wrong'), fetch('${at('/data', 'localhost')}'), fetch('http://127.0.0.1:1/')])`,
    );
    await expect.poll(() => page.network.list({ failed: true, limit: 10 }).length).toBe(3);
    const failed = page.network.list({ failed: true, limit: 10 });
    expect(failed.find(({ status }) => status === 500)).toMatchObject({ url: at('/wrong') });
    expect(failed.find(({ url }) => url.includes('localhost'))?.failure).toMatchObject({
      corsError: 'MissingAllowOriginHeader',
    });
    expect(failed.find(({ url }) => url.includes(':1/'))?.failure?.errorText).toMatch(/^net::ERR_/);
  });

  test('bodies of texts are decoded and cut; of others the size is told; those that are gone say so', async () => {
    const page = await openPage();
    await run(page, `Promise.all(['/data', '/latin', '/image'].map((u) => fetch(u).then((r) => r.arrayBuffer())))`);
    await expect
      .poll(() => page.network.list({ limit: 10 }).filter((one) => one.durationMs !== undefined).length)
      .toBe(3);
    const bodyOf = (filter: string, max = 100) =>
      page.network.body(page.network.list({ filter, limit: 1 })[0]!.id, max, signal());
    expect(await bodyOf('/data')).toEqual({ mimeType: 'application/json', bytes: 7, text: '{"a":1}', isCut: false });
    expect(await bodyOf('/data', 3)).toMatchObject({ text: '{"a…', isCut: true });
    expect(await bodyOf('/latin')).toMatchObject({ text: 'café' });
    expect(await bodyOf('/image')).toEqual({ mimeType: 'image/png', bytes: 3, isCut: false });
    await expect(page.network.body('n999', 100, signal())).rejects.toThrow('There is no request "n999"');
    const [{ id } = { id: '' }] = page.network.list({ filter: '/data', limit: 1 });
    await goTo(page, at('/', 'localhost'));
    await expect(page.network.body(id, 100, signal())).rejects.toThrow(`The browser no longer has the body of ${id}`);
  });

  test('include those of workers, of frames of other sites, and WebSockets', async () => {
    const page = await openPage();
    await run(page, `new Promise((done) => { new Worker('/worker.js').onmessage = done; })`);
    await run(
      page,
      `new Promise((done) => { const f = document.createElement('iframe'); f.onload = done; f.src = '${at('/?frame', 'localhost')}'; document.body.append(f); })`,
    );
    await run(page, `new Promise((done) => { new WebSocket('${at('/ws').replace('http', 'ws')}').onopen = done; })`);
    const statusOf = (filter: string) => page.network.list({ filter, limit: 1 })[0]?.status;
    await expect.poll(() => ['?worker', '?frame', '/ws'].map(statusOf)).toEqual([200, 200, 101]);
    expect(page.network.list({ type: 'websocket', limit: 10 })).toHaveLength(1);
  });
});

describe('the log of requests', () => {
  test('keeps the newest 500 of a flood, and cuts addresses', async () => {
    const log = new NetworkLog();
    const session = new CdpSession(
      's',
      async () => ({}),
      () => undefined,
    );
    await log.follow(session);
    for (let index = 0; index < 10_000; index++) {
      const request = { url: `data:text/plain,${index}${'x'.repeat(2_000)}`, method: 'GET' };
      session.emit('Network.requestWillBeSent', { requestId: String(index), request, type: 'Other', timestamp: 0 });
      session.emit('Network.loadingFinished', { requestId: String(index), timestamp: 1, encodedDataLength: 0 });
    }
    const all = log.list({ limit: 10_000 });
    expect([all.length, all[0]!.id, all.at(-1)!.id]).toEqual([500, 'n9501', 'n10000']);
    expect(all[0]!.url).toHaveLength(500);
    expect(all[0]!.durationMs).toBe(1000);
    log.clear();
    expect(log.list({ limit: 10 })).toEqual([]);
  });
});
