import { once } from 'node:events';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { navigate } from '../../../../src/browser/actions/navigate.ts';
import { HostLookup } from '../../../../src/browser/guard/host-lookup.ts';
import { launchBrowser } from '../../../../src/browser/launch/launch-browser.ts';
import { Reaper } from '../../../../src/process/reaper.ts';
import { CHROMIUM, needsChromium } from '../../../support/browser/chromium.ts';
import { openIn, runIn } from '../../../support/browser/pages.ts';
import { openVisits } from '../../../support/browser/visits.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { startHttpServer } from '../../../support/http/http-server.ts';
import { servePages } from '../../../support/http/page-server.ts';

const BLOCKED = 'net::ERR_BLOCKED_BY_CLIENT';

/** The gateway, in place of which a web site answers everything, and a page that agents may open. */
async function surroundings(pages: (gateway: string) => Readonly<Record<string, string>>) {
  const gateway = await servePages({ '/': '<title>gateway</title>' });
  const site = await servePages(pages(gateway.origin));
  const setup = openVisits({ addresses: { own: () => [{ host: '127.0.0.1', port: gateway.port }] } });
  return { gateway, site, ...setup };
}

describe.skipIf(CHROMIUM === undefined)(needsChromium('requests of a browser'), () => {
  test('documents of the gateway are not opened: by navigation, redirect, link, frame, form, pop-up or script', async () => {
    const { gateway, site, connect, events } = await surroundings((origin) => ({
      '/': '<title>site</title>',
      '/frame': `<iframe src="${origin}/frame"></iframe>`,
      '/refresh': `<meta http-equiv="refresh" content="0;url=${origin}/refresh">`,
    }));
    const visit = await connect('one');
    const { page } = visit;
    expect(await openIn(page, `${gateway.origin}/direct`)).toBe(BLOCKED);
    const main = page.frames.main.id;
    expect(page.guard.takeDenial(main)).toBe(
      'it is an address of the gateway itself, or of a browser that it controls',
    );
    expect(page.guard.takeDenial(main)).toBeUndefined();
    expect(await openIn(page, `http://a.localhost:${gateway.port}/name`)).toBe(BLOCKED);

    await openIn(page, `${site.origin}/frame`);
    await openIn(page, `${site.origin}/refresh`);
    await expect.poll(() => events.join()).toContain('/refresh"');
    await openIn(page, site.origin);
    await runIn(page, `void window.open("${gateway.origin}/popup")`);
    await expect.poll(() => visit.tabs()).toHaveLength(2);
    await runIn(page, `fetch("${gateway.origin}/fetch", { mode: "no-cors" }).catch(() => "refused")`);
    await runIn(page, `navigator.sendBeacon("${gateway.origin}/beacon")`);
    await runIn(
      page,
      `new Promise((done) => { const i = new Image(); i.onerror = done; i.src = "${gateway.origin}/image"; }).then(() => 1)`,
    );
    await runIn(page, `void (location.href = "${gateway.origin}/location")`);
    await expect.poll(() => events.filter((text) => text.includes('was refused')).join()).toContain('/location');
    for (const path of ['direct', 'name', 'frame', 'refresh', 'fetch', 'beacon', 'image'])
      expect(events.join()).toContain(`/${path}"`);
    expect(gateway.asked()).toEqual([]);
  });

  test('a redirect to the gateway ends before it', async () => {
    const { gateway, connect } = await surroundings(() => ({}));
    const redirecting = await startHttpServer((_request, response) =>
      response.writeHead(302, { location: `${gateway.origin}/redirected` }).end(),
    );
    const { page } = await connect('one');
    expect(await openIn(page, `http://127.0.0.1:${redirecting.port}`)).toBe(BLOCKED);
    expect(page.guard.takeDenial(page.frames.main.id)).toContain('the gateway itself');
    expect(gateway.asked()).toEqual([]);
  });

  test('workers of all kinds do not reach the gateway', async () => {
    const script = (origin: string) =>
      `fetch("${origin}/worker", { mode: "no-cors" }).catch(() => 0).then(() => fetch("/done"));`;
    const { gateway, site, connect } = await surroundings((origin) => ({
      '/': '<title>site</title>',
      '/worker.js': `${script(origin)} self.addEventListener("install", () => 0);`,
      '/shared.js': `${script(origin)} onconnect = () => 0;`,
      '/done': 'done',
    }));
    const { page } = await connect('one');
    await openIn(page, site.origin);
    await runIn(
      page,
      'void new Worker("/worker.js"); void new SharedWorker("/shared.js"); navigator.serviceWorker.register("/worker.js").then(() => 1)',
    );
    await expect.poll(() => site.asked().filter((path) => path === '/done')).toHaveLength(3);
    expect(gateway.asked()).toEqual([]);
  });

  test('an earlier refusal does not explain a later failure', async () => {
    const gateway = await servePages({ '/': 'secret' });
    const site = await servePages({ '/': '<title>Site</title>' });
    const { connect, events } = openVisits({ addresses: { own: () => [{ host: '127.0.0.1', port: gateway.port }] } });
    const { page } = await connect('one');
    await openIn(page, site.origin);
    await runIn(page, `setTimeout(() => { location = "${gateway.origin}/" }, 0)`);
    await expect.poll(() => events).toHaveLength(1);
    const opening = navigate(page, 'http://127.0.0.1:1/', { wait: 'commit', signal: AbortSignal.timeout(60_000) });
    await expect(opening).rejects.toMatchObject({ code: 'BROWSER_FAILED' });
    expect(gateway.asked()).toEqual([]);
  });

  test('WebSockets do not reach the gateway, from a page or a worker', async () => {
    const gateway = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => {
      gateway.close();
    });
    await once(gateway, 'listening');
    const { port } = gateway.address() as { port: number };
    const reached: string[] = [];
    gateway.on('connection', (_socket, { url }) => reached.push(url!));
    const dial = (path: string) =>
      `for (const host of ["127.0.0.1", "localhost", "127.1", "[::ffff:127.0.0.1]"]) { const s = new WebSocket("ws://" + host + ":${port}/${path}"); s.onopen = s.onerror = ({ type }) => fetch("/saw-" + type); }`;
    const site = await servePages({ '/a.html': 'a', '/worker.js': dial('worker') });
    const { connect } = openVisits({ addresses: { own: () => [{ host: '127.0.0.1', port }] } });
    const { page } = await connect('one');
    const errors = () => site.asked().filter((path) => path === '/saw-error').length;
    for (const script of ['void new Worker("/worker.js")', `${dial('page')}; 1`]) {
      await openIn(page, `${site.origin}/a.html`);
      const before = errors();
      await runIn(page, script);
      // A page is left when its attempt is seen, which ends its worker, too.
      await expect.poll(() => errors() - before === 4 || page.frames.main.url === 'about:blank').toBe(true);
    }
    expect(reached).toEqual([]);
  });

  test('private networks are reached only if they are listed', async () => {
    const { connect } = openVisits();
    const { page } = await connect('one');
    expect(await openIn(page, 'http://10.255.255.1/')).toBe(BLOCKED);
    expect(page.guard.takeDenial(page.frames.main.id)).toContain('allowHosts');
    expect(await openIn(page, 'http://169.254.169.254/')).toBe(BLOCKED);
  });

  test('data: and about: pages of the browser are not opened from a page', async () => {
    const { connect } = openVisits();
    const { page } = await connect('one');
    const site = await servePages({ '/': '<title>x</title>' });
    await openIn(page, site.origin);
    await runIn(page, 'void (location.href = "data:text/html,<title>data</title>")');
    await runIn(page, 'void (location.href = "chrome://settings")');
    await runIn(page, 'void (location.href = "file:///etc/passwd")');
    expect(await runIn(page, 'location.href')).toBe(`${site.origin}/`);
  });

  test('a name that leads elsewhere for a request of the page: the page is left, too', async () => {
    const site = await servePages({ '/': '<title>Page</title>', '/data': 'secret' });
    const places = { 'page.example': '127.0.0.1', 'rebound.example': '93.184.215.14' };
    const hosts = new HostLookup(async (host) => [places[host as keyof typeof places]]);
    const env = process.env as Record<string, string>;
    const rules = 'MAP page.example 127.0.0.1,MAP rebound.example 127.0.0.1';
    const options = { file: CHROMIUM!, env, home: temporaryFolder(), reaper: new Reaper(), resolverRules: rules };
    const sandbox = process.getuid?.() !== 0;
    const { connect, events } = openVisits({
      launch: (headless, signal) => launchBrowser({ ...options, sandbox, headless, signal }),
      addresses: { loopback: false, allowHosts: ['page.example'], hosts },
    });
    const { page } = await connect('one');
    await openIn(page, `http://page.example:${site.port}/`);
    expect(await runIn(page, 'document.title')).toBe('Page');
    await runIn(page, `void fetch("http://rebound.example:${site.port}/data", { mode: "no-cors" }).catch(() => 0)`);
    await expect.poll(() => page.frames.main.url).toBe('about:blank');
    expect(events).toContain('The page was left for about:blank.');
  });

  test('a page whose name leads elsewhere for the browser than for the guard is left at once', async () => {
    const site = await servePages({ '/': '<title>secret</title>' });
    const hosts = new HostLookup(async () => ['93.184.215.14']);
    const home = temporaryFolder();
    const sandbox = process.getuid?.() !== 0;
    const env = process.env as Record<string, string>;
    const resolverRules = 'MAP rebound.example 127.0.0.1';
    const { connect, events } = openVisits({
      launch: (headless, signal) =>
        launchBrowser({ file: CHROMIUM!, env, home, reaper: new Reaper(), sandbox, headless, signal, resolverRules }),
      addresses: { loopback: false, hosts },
    });
    const { page } = await connect('one');
    await page.session.send('Page.navigate', { url: `http://rebound.example:${site.port}/` });
    await expect.poll(() => page.frames.main.url).toBe('about:blank');
    expect(await runIn(page, 'document.title')).toBe('');
    expect(page.guard.takeDenial(page.frames.main.id)).toContain('it leads to this machine');
    expect(events).toContain('The page was left for about:blank.');
    expect(site.asked()).toContain('/');
  });
});
