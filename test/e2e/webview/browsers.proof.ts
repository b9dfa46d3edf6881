import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CHROMIUM, needsChromium } from '../../support/browser/chromium.ts';
import { startUserChrome } from '../../support/browser/user-chrome.ts';
import { freshHome, openServe, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { startHttpServer } from '../../support/http/http-server.ts';
import { servePages } from '../../support/http/page-server.ts';
import { processesWith } from '../../support/processes.ts';
import { shared } from '../../support/shared.ts';
import { browse, httpBrowsing, OPTIONS, openBrowsing, until } from './setup.ts';

/** A browser starts, on a busy machine too. */
const PATIENCE = { timeout: 120_000 };

const PAGES = {
  '/popped': `<title>Popped</title><h1>Popped up</h1>`,
  '/download': `<title>Download</title><a id="get" href="/file" download>Get</a>`,
  '/file': {
    headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="a.bin"' },
    html: 'bytes',
  },
};

describe.skipIf(CHROMIUM === undefined)(needsChromium('with browsers of all kinds'), PATIENCE, () => {
  const scene = shared(() => browse());

  test('two clients at once see nothing of each other', async () => {
    const config = writeConfig({ enabledWorkflows: ['webview'], workflows: { webview: OPTIONS } });
    const { url } = await openServe(config, freshHome());
    const clients = await Promise.all([httpBrowsing(url), httpBrowsing(url)]);
    const { origin } = await servePages({ '/': '<title>Cookies</title>' });
    await Promise.all(clients.map(({ call }) => call('connect')));
    const values = await Promise.all(
      clients.map(async ({ call }, at) => {
        await call('navigate', { url: `${origin}/`, wait: 'load' });
        await call('eval', { script: `document.cookie = 'who=${at}'; localStorage.setItem('who', '${at}')` });
        await call('console', {});
        return (await call('eval', { script: "document.cookie + ' ' + localStorage.getItem('who')" })).result;
      }),
    );
    expect(values).toEqual(['who=0 0', 'who=1 1']);
    for (const { call } of clients) expect((await call('tabs')).tabs).toHaveLength(1);
  });

  test('a frame of the gateway itself stays empty, and so does a page, a redirect and a request', async () => {
    const config = writeConfig({ enabledWorkflows: ['webview'], workflows: { webview: OPTIONS } });
    const { url } = await openServe(config, freshHome());
    const own = new URL(url).origin;
    const { call } = await httpBrowsing(url);
    await call('connect');
    const { origin } = await servePages({
      '/': `<title>Trap</title><iframe id="f" src="${own}/health"></iframe>`,
      '/redirect': { status: 302, headers: { location: `${own}/health` } },
    });
    await call('navigate', { url: `${origin}/`, wait: 'load' });
    expect((await call('snapshot')).snapshot).not.toContain('version');
    for (const to of [
      `${own}/health`,
      `${own.replace('127.0.0.1', 'localhost')}/health`,
      `${own.replace('127.0.0.1', '127.1')}/health`,
      `${own.replace('127.0.0.1', '[::1]')}/health`,
      `${origin}/redirect`,
    ])
      expect(await call('navigate', { url: to }), to).toMatchObject({ isError: true });
    const script = `fetch('${own}/health', { mode: 'no-cors' }).then(() => 'reached', () => 'refused')`;
    await call('navigate', { url: `${origin}/`, wait: 'load' });
    expect(await call('eval', { script })).toMatchObject({ result: 'refused' });
  });

  test.each([
    'http://169.254.169.254/latest/meta-data/',
    'http://[fe80::1]/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://metadata.google.internal/',
    'http://[::ffff:10.0.0.1]/',
    'http://0x0a000001/',
  ])('%s is refused', async (url) => {
    const { call } = await scene();
    expect(await call('navigate', { url })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/may not be opened|refus|not allowed/i),
    });
  });

  test('a crashed tab and a crashed browser are told, and connecting again helps', async () => {
    const chrome = await startUserChrome();
    const { call } = await openBrowsing();
    expect(await call('connect', { debug_url: chrome.debugUrl })).toEqual({
      success: true,
      message: `Connected to Chrome DevTools at ${chrome.debugUrl}`,
    });
    const { origin } = await servePages(PAGES);
    await call('navigate', { url: `${origin}/popped`, wait: 'load' });
    const target = (await chrome.json('')).find(({ url }: any) => url.endsWith('/popped'));
    const crash = chrome.command(target.webSocketDebuggerUrl, 'Page.crash').catch(() => undefined);
    await until(async () => (await call('snapshot')).isError === true);
    expect(await call('snapshot')).toMatchObject({ isError: true, text: expect.stringContaining('has crashed') });
    expect(await call('navigate', { url: `${origin}/popped`, wait: 'load' })).toMatchObject({ success: true });
    expect(await call('connect', { debug_url: chrome.debugUrl })).toMatchObject({ success: true });
    await crash;
    await chrome.kill();
    expect(
      await until(async () => ((await call('snapshot')).isError === true ? await call('snapshot') : undefined)),
    ).toMatchObject({ text: expect.stringContaining('webview_connect') });
    expect(await call('connect', { launch: true })).toMatchObject({ success: true });
  });

  test('a browser that answers nothing any more costs no more than the time of a call', async () => {
    const chrome = await startUserChrome();
    const { call } = await openBrowsing();
    await call('connect', { debug_url: chrome.debugUrl, timeout: 5 });
    const { origin } = await servePages(PAGES);
    expect(await call('navigate', { url: `${origin}/popped` })).toMatchObject({ success: true });
    chrome.freeze();
    const late = { isError: true, text: expect.stringContaining('did not answer') };
    expect(await call('tabs')).toMatchObject(late);
    expect(await call('navigate', { url: `${origin}/popped` })).toMatchObject(late);
    expect(await call('disconnect')).toMatchObject({ success: true });
    expect(await call('connect', { launch: true })).toMatchObject({ success: true });
  });

  test.skipIf(process.platform !== 'linux')(
    'a browser that is started has no secret of the gateway, and no way to its port',
    async () => {
      const env: NodeJS.ProcessEnv = { ...freshHome(), SOME_TOKEN: 'hidden', DISPLAY: ':77' };
      const { call } = await openBrowsing({}, env, { server: { port: 31_417 } });
      await call('connect');
      const [pid] = processesWith(`--user-data-dir=${env.VIADUCT_HOME}`);
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).toContain('MAP *:31417 ^NOTFOUND');
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      expect(environment).toContain('DISPLAY=:77');
      expect(environment).not.toMatch(/SOME_TOKEN|VIADUCT_HOME/);
    },
  );

  test("the user's browser: tabs of its own, an isolated context, and it stays open", async () => {
    const chrome = await startUserChrome();
    const [one, two] = [await openBrowsing(), await openBrowsing()];
    const { origin } = await servePages({
      '/': '<title>Home</title><script>if (!document.cookie) document.cookie = "a=user"</script>',
    });
    await one.call('connect', { debug_url: chrome.debugUrl });
    await one.call('navigate', { url: `${origin}/`, wait: 'load' });
    await two.call('connect', { debug_url: chrome.debugUrl, isolated: true });
    await two.call('navigate', { url: `${origin}/`, wait: 'load' });
    await two.call('eval', { script: "document.cookie = 'a=agent'" });
    expect((await one.call('eval', { script: 'document.cookie' })).result).toBe('a=user');
    await one.call('disconnect');
    await two.call('disconnect');
    const pages = await until(async () => {
      const all = (await chrome.json('')).filter(({ type }: any) => type === 'page');
      return all.length === 1 ? all : undefined;
    });
    expect(pages[0]).toMatchObject({ title: 'Home' });
  });

  test.each([
    ['http://192.0.2.1:9222', 'debugHosts'],
    ['https://example.com', 'http://HOST:PORT'],
    ['file:///tmp', 'http'],
    ['nonsense', 'http'],
    ['http://127.0.0.1:9', 'failed to connect'],
  ])('a debug_url that cannot be used: %s', async (debugUrl, says) => {
    const { call } = await openBrowsing();
    expect(await call('connect', { debug_url: debugUrl, timeout: 5 })).toMatchObject({
      isError: true,
      text: expect.stringContaining(says),
    });
  });

  test('a hostile /json leads nowhere else', async () => {
    const elsewhere = await startHttpServer((_, response) => response.end());
    const target = {
      type: 'page',
      id: 'A',
      title: 'x',
      url: 'about:blank',
      webSocketDebuggerUrl: `ws://127.0.0.1:${elsewhere.port}/devtools/page/A`,
    };
    const hostile = await startHttpServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify([target]));
    });
    const { call } = await openBrowsing();
    expect(await call('connect', { debug_url: `http://127.0.0.1:${hostile.port}`, timeout: 5 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('failed to connect'),
    });
    expect(elsewhere.requests).toHaveLength(0);
  });

  test('a download goes into the folder of the config', async () => {
    const downloads = temporaryFolder();
    const { call } = await browse({ downloads });
    const { origin } = await servePages(PAGES);
    await call('navigate', { url: `${origin}/download`, wait: 'load' });
    await call('click', { selector: '#get' });
    const told = await until(async () =>
      (await call('eval', { script: '1' })).events?.find((one: string) => one.includes(downloads)),
    );
    expect(told).toContain('a.bin');
  });
});
