import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { HostLookup } from '../../../../src/browser/guard/host-lookup.ts';
import { CHROMIUM, needsChromium } from '../../../support/browser/chromium.ts';
import { openIn, runIn } from '../../../support/browser/pages.ts';
import { startUserChrome } from '../../../support/browser/user-chrome.ts';
import { openVisits } from '../../../support/browser/visits.ts';
import { type Answer, startHttpServer } from '../../../support/http/http-server.ts';
import { servePages } from '../../../support/http/page-server.ts';

/** Connects to a server that is no browser, and returns why that failed. */
async function failure(answer: Answer): Promise<string> {
  const server = await startHttpServer(answer);
  const { connect } = openVisits();
  const connecting = connect('one', { debugUrl: `http://127.0.0.1:${server.port}` });
  return connecting.then(
    () => 'connected',
    (error: Error) => error.message,
  );
}

/** Listens for debuggers as a browser does, and answers each command with events that have no content. */
async function startHostileBrowser(events: readonly string[]): Promise<AddressInfo> {
  const server = createHttpServer(({ url }, response) =>
    response.end(JSON.stringify(url === '/json' ? [] : { webSocketDebuggerUrl: 'ws://x/devtools/browser/1' })),
  );
  new WebSocketServer({ server }).on('connection', (socket) =>
    socket.on('message', () => {
      for (const method of events) socket.send(JSON.stringify({ method }));
    }),
  );
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return server.address() as AddressInfo;
}

const BROWSER = { Browser: 'Chrome/156', webSocketDebuggerUrl: 'ws://127.0.0.1:1/devtools/browser/1' };

describe('what is no browser', () => {
  test('nothing listens', async () => {
    const { connect } = openVisits();
    const connecting = connect('one', { debugUrl: 'http://127.0.0.1:1' });
    await expect(connecting).rejects.toMatchObject({
      code: 'BROWSER_FAILED',
      message: expect.stringMatching(
        /^failed to connect: 127\.0\.0\.1:1: nothing listens there\. Start Chrome with --remote-debugging-port=9222/,
      ),
    });
  });

  test.each<[string, Answer, string]>([
    [
      'a redirect',
      (_q, r) => r.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      'answered /json/version with HTTP 302',
    ],
    ['not found', (_q, r) => r.writeHead(404).end('{}'), 'answered /json/version with HTTP 404'],
    ['no JSON', (_q, r) => r.end('<html>'), 'is not what a browser answers'],
    ['another shape', (_q, r) => r.end('[]'), 'is not what a browser answers'],
    [
      'a list of another shape',
      ({ path }, r) => r.end(path === '/json' ? '[{"id":1}]' : JSON.stringify(BROWSER)),
      'to /json is not what',
    ],
    ['too much', (_q, r) => r.end(' '.repeat(1_100_000)), 'its answer is too long'],
    [
      'an answer that breaks off',
      (_q, r) => r.writeHead(200, { 'content-length': '9' }).write('{', () => r.destroy()),
      'aborted',
    ],
    [
      'no WebSocket',
      ({ path }, r) => r.end(path === '/json' ? '[]' : JSON.stringify(BROWSER)),
      'Unexpected server response: 200',
    ],
  ])('%s', async (_name, answer, why) => {
    expect(await failure(answer)).toContain(why);
  });

  test('one that never answers is given up with the call', async () => {
    const server = await startHttpServer(() => undefined);
    const abort = new AbortController();
    const { connect } = openVisits();
    const connecting = connect('one', { debugUrl: `http://127.0.0.1:${server.port}`, signal: abort.signal });
    await expect.poll(() => server.requests).toHaveLength(1);
    abort.abort(new Error('enough'));
    await expect(connecting).rejects.toThrow('enough');
    await expect.poll(() => server.requests[0]!.isAborted).toBe(true);
  });

  test('one that changes the protocol is an error, and the client can connect again', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.write('HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'));
    });
    server.listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { connect, visits } = openVisits();
    for (const _time of [1, 2])
      await expect(connect('one', { debugUrl: `http://127.0.0.1:${port}` })).rejects.toThrow(
        'it did not answer /json/version',
      );
    expect(await visits.disconnect('one')).toBe(false);
  });

  test('a long list of pages is given up with the call', async () => {
    const pages = Array.from({ length: 100 }, (_, at) => ({
      id: `${at}`,
      type: 'page',
      url: `http://h${at}.example/`,
    }));
    const server = await startHttpServer(({ path }, response) =>
      response.end(JSON.stringify(path === '/json' ? pages : BROWSER)),
    );
    const abort = new AbortController();
    const asked: string[] = [];
    const hosts = new HostLookup(async (host) => {
      asked.push(host);
      abort.abort(new Error('enough'));
      throw new Error('it is not known');
    });
    const { connect } = openVisits({ addresses: { hosts } });
    const connecting = connect('one', { debugUrl: `http://127.0.0.1:${server.port}`, signal: abort.signal });
    await expect(connecting).rejects.toThrow('enough');
    expect(asked).toEqual(['h0.example']);
  });

  test('events that no browser sends end the connection, not the gateway', async () => {
    const { port } = await startHostileBrowser(['Target.targetCreated', 'Target.attachedToTarget', 'error']);
    const { connect } = openVisits();
    await expect(connect('one', { debugUrl: `http://127.0.0.1:${port}` })).rejects.toThrow(
      'the browser sent an event that cannot be used',
    );
  });

  test('the WebSocket of another host is not dialled: only its path is used', async () => {
    const elsewhere = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await once(elsewhere, 'listening');
    const dialled: string[] = [];
    elsewhere.on('connection', (_socket, { url }) => dialled.push(url!));
    const { port } = elsewhere.address() as { port: number };
    const url = `ws://127.0.0.1:${port}/devtools/browser/1`;
    const message = await failure(({ path }, response) =>
      response.end(path === '/json' ? '[]' : JSON.stringify({ webSocketDebuggerUrl: url })),
    );
    elsewhere.close();
    expect(message).toContain('Unexpected server response');
    expect(dialled).toEqual([]);
  });
});

describe.skipIf(CHROMIUM === undefined)(needsChromium("the user's browser"), () => {
  test('its first page is used by one client, the next gets a page of its own; both stay when they go', async () => {
    const site = await servePages({ '/': '<title>User</title>', '/two': '<title>Two</title>' });
    const { debugUrl, pages } = await startUserChrome(`${site.origin}/`);
    const { visits, connect } = openVisits();
    const one = await connect('one', { debugUrl });
    expect(await runIn(one.page, 'document.title')).toBe('User');
    const two = await connect('two', { debugUrl });
    expect(await runIn(two.page, 'location.href')).toBe('about:blank');
    await openIn(two.page, `${site.origin}/two`);
    expect(await one.tabs()).toMatchObject([{ title: 'User', isCurrent: true }]);
    expect(await two.tabs()).toMatchObject([{ title: 'Two', isCurrent: true }]);

    await visits.disconnect('one');
    expect(await two.tabs()).toMatchObject([
      { id: 't1', title: 'Two', isCurrent: true, isOwn: true },
      { id: 't2', title: 'User', isCurrent: false, isOwn: false },
    ]);
    await expect(two.closeTab('t2')).rejects.toThrow('t2 is a tab of the user');
    expect(await two.selectTab('t2')).toMatchObject({ title: 'User', isCurrent: true });
    await visits.disconnect('two');
    expect((await pages()).map(({ title }) => title).sort()).toEqual(['Two', 'User']);
  });

  test('an isolated visit has cookies of its own and sees no other tab; its pages end with it', async () => {
    const site = await servePages({ '/': '<title>User</title>' });
    const { debugUrl, pages } = await startUserChrome(`${site.origin}/`);
    const { visits, connect } = openVisits();
    const shared = await connect('shared', { debugUrl });
    await runIn(shared.page, 'document.cookie = "who=user"');
    const isolated = await connect('isolated', { debugUrl, isolated: true });
    await openIn(isolated.page, site.origin);
    expect(await runIn(isolated.page, 'document.cookie')).toBe('');
    expect(await isolated.tabs()).toHaveLength(1);
    expect(await shared.tabs()).toHaveLength(1);
    await visits.disconnect('isolated');
    await expect.poll(() => pages()).toHaveLength(1);
  });

  test('pages and their pop-ups are guarded; the debugging address and pages of the gateway are closed to clients', async () => {
    const gateway = await servePages({ '/': '<title>Gateway</title>' });
    const site = await servePages({ '/': '<title>Site</title>' });
    const { debugUrl } = await startUserChrome(`${gateway.origin}/`);
    const { connect, events } = openVisits({ addresses: { own: () => [{ host: '127.0.0.1', port: gateway.port }] } });
    const { page, tabs, selectTab } = await connect('one', { debugUrl }).then((visit) => ({
      page: visit.page,
      tabs: () => visit.tabs(),
      selectTab: (id: string) => visit.selectTab(id),
    }));
    expect(await runIn(page, 'location.href')).toBe('about:blank');
    const [, user] = await tabs();
    await expect(selectTab(user!.id)).rejects.toMatchObject({ code: 'ADDRESS_DENIED' });
    expect(await openIn(page, `${debugUrl}/json`)).toBe('net::ERR_BLOCKED_BY_CLIENT');
    expect(await openIn(page, gateway.origin)).toBe('net::ERR_BLOCKED_BY_CLIENT');
    expect(page.guard.takeDenial(page.frames.main.id)).toContain('the gateway itself');
    await openIn(page, site.origin);
    await runIn(page, `void window.open("${site.origin}/pop-up")`);
    await expect.poll(() => events.join()).toContain('The page opened the tab t3.');
    expect(gateway.asked().filter((path) => path !== '/favicon.ico')).toEqual(['/']);
  });

  test('a browser that ends is told of', async () => {
    const { debugUrl } = await startUserChrome();
    const { connect } = openVisits();
    const visit = await connect('one', { debugUrl });
    await visit.page.session.send('Browser.close').catch(() => undefined);
    const message = () => {
      try {
        return visit.page.targetId;
      } catch (error) {
        return (error as Error).message;
      }
    };
    await expect.poll(message).toBe('the browser closed the connection: use webview_connect to connect again');
  });
});
