import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CHROMIUM, needsChromium } from '../../support/chromium.ts';
import { freshHome, openServe, temporaryFolder, writeConfig } from '../../support/gateway.ts';
import { startHttpServer } from '../../support/http-server.ts';
import { servePages } from '../../support/page-server.ts';
import { processesWith } from '../../support/processes.ts';
import { shared } from '../../support/shared.ts';
import { startUserChrome } from '../../support/user-chrome.ts';
import { type Browsing, browse, browsingOf, OPTIONS, openBrowsing } from './setup.ts';

/** A browser starts, on a busy machine too. */
const PATIENCE = { timeout: 120_000 };

const PAGES = {
  '/frames': `<title>Frames</title><h1>Outside</h1><iframe id="inner" src="/inside" width="400" height="200"></iframe>`,
  '/inside': `<p>Inside</p><button id="in" onclick="this.textContent = 'Pressed'">Press</button>`,
  '/shadow': `<title>Shadow</title><div id="host"></div><script>
    document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '<button id="deep" onclick="this.textContent=\\'Done\\'">Deep</button>'</script>`,
  '/dialogs': `<title>Dialogs</title><button id="a" onclick="alert('Hello'); this.textContent = 'told'">A</button>
    <button id="c" onclick="this.textContent = String(confirm('Sure?'))">C</button><button id="p" onclick="this.textContent = String(prompt('Name?'))">P</button>`,
  '/popup': `<title>Opener</title><button id="open" onclick="window.open('/popped')">Open</button><a id="blank" target="_blank" href="/popped">New</a>`,
  '/popped': `<title>Popped</title><h1>Popped up</h1>`,
  '/download': `<title>Download</title><a id="get" href="/file" download>Get</a>`,
  '/file': {
    headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="a.bin"' },
    html: 'bytes',
  },
  '/sticky': `<title>Sticky</title><style>header{position:fixed;top:0;left:0;right:0;height:120px;background:#ccc}</style><header>Bar</header>
    <div style="height:3000px"></div><button id="low" onclick="this.textContent='Hit'">Low</button><div style="height:3000px"></div>
    <script>scrollTo(0, 3110)</script>`,
  '/covered': `<title>Covered</title><button id="under" style="position:absolute;top:50px;left:50px">Under</button>
    <div id="veil" class="modal open" style="position:fixed;inset:0;background:#0008"></div>`,
  '/many': `<title>Many</title><ul id="list"></ul><script>const list = document.querySelector('#list');
    list.innerHTML = Array.from({ length: 50000 }, (_, i) => '<li><a href="/x' + i + '">Item ' + i + '</a></li>').join('')</script>`,
  '/canvas': `<title>Canvas</title><canvas id="c" width="300" height="200" aria-label="Chart"></canvas><p id="at"></p><script>
    document.querySelector('#c').onclick = (e) => { document.querySelector('#at').textContent = e.offsetX + ',' + e.offsetY }</script>`,
  '/editable': `<title>Edit</title><div id="e" contenteditable="true">Some <b>text</b></div>`,
  '/flood': `<title>Flood</title><script>for (let i = 0; i < 5000; i++) console.log('line ' + i)</script>`,
  '/loop': `<title>Loop</title><button id="loop" onclick="setTimeout(() => { for (;;); }, 0)">Loop</button>`,
  '/leave': `<title>Leave</title><a id="file" href="file:///etc/passwd">f</a><button id="js" onclick="location.href='chrome://version'">c</button>
    <button id="data" onclick="location.href='data:text/html,x'">d</button>`,
  '/worker': `<title>Worker</title><script>navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => { document.title = 'Ready' })</script>`,
  '/sw.js': {
    headers: { 'content-type': 'text/javascript' },
    html: `self.addEventListener('activate', (e) => e.waitUntil(clients.claim()))`,
  },
  '/meta': `<title>Moved</title><meta http-equiv="refresh" content="0;url=/popped">`,
  '/slow-parts': `<title>Parts</title><h1>Text</h1><img src="/never">`,
  '/unload': `<title>Unload</title><button id="dirty" onclick="window.onbeforeunload = (e) => { e.preventDefault(); return '' }">Dirty</button>`,
};

describe.skipIf(CHROMIUM === undefined)(needsChromium('on pages of all kinds'), PATIENCE, () => {
  const scene = shared(async () => {
    const [browsing, { origin }] = [await browse({ timeoutSeconds: 60 }), await servePages(PAGES)];
    const open = (where: string) => browsing.call('navigate', { url: `${origin}${where}`, wait: 'load' });
    const textOf = async (selector: string) =>
      (await browsing.call('eval', { script: `document.querySelector(${JSON.stringify(selector)}).textContent` }))
        .result;
    return { ...browsing, origin, open, textOf };
  });

  test('a frame of the same site', async () => {
    const { call, open } = await scene();
    await open('/frames');
    expect((await call('snapshot')).snapshot).toContain('Inside');
    expect(await call('click', { selector: '#in' })).toEqual({ success: true });
    expect((await call('snapshot')).snapshot).toContain('Pressed');
  });

  test('a frame of another site', async () => {
    const { call, origin } = await scene();
    const other = origin.replace('127.0.0.1', 'localhost');
    const { origin: outer } = await servePages({
      '/': `<h1>Outer</h1><div style="height:150px"></div><iframe src="${other}/inside" width="400" height="200"></iframe>`,
    });
    await call('navigate', { url: `${outer}/`, wait: 'load' });
    expect(await call('wait', { selector: '#in' })).toMatchObject({ success: true });
    const [, id] = /(e\d+) "Press"/.exec((await call('snapshot')).snapshot)!;
    expect(await call('click', { selector: id })).toEqual({ success: true });
    expect(await call('query', { selector: '#in' })).toMatchObject({ found: true });
    expect((await call('snapshot')).snapshot).toContain('Pressed');
  });

  test('an open shadow root', async () => {
    const { call, open } = await scene();
    await open('/shadow');
    expect(await call('click', { selector: '#deep' })).toEqual({ success: true });
    expect((await call('snapshot')).snapshot).toContain('button e');
    expect((await call('snapshot')).snapshot).toContain('"Done"');
  });

  test('dialogs are answered, and told', async () => {
    const { call, open, textOf } = await scene();
    await open('/dialogs');
    expect(await call('click', { selector: '#a' })).toEqual({
      success: true,
      events: [expect.stringContaining('"Hello"')],
    });
    expect(await textOf('#a')).toBe('told');
    expect(await call('click', { selector: '#c' })).toMatchObject({
      success: true,
      events: [expect.stringContaining('"Sure?"')],
    });
    expect(await textOf('#c')).toBe('false');
    await call('click', { selector: '#p' });
    expect(await textOf('#p')).toBe('null');
  });

  test('a page that asks before it is left is left', async () => {
    const { call, open } = await scene();
    await open('/unload');
    await call('click', { selector: '#dirty' });
    expect(await open('/popped')).toMatchObject({ success: true });
    expect(await call('query', { selector: 'h1' })).toMatchObject({ found: true });
  });

  test.each(['#open', '#blank'])('a pop-up (%s) is a tab, and told', async (selector) => {
    const { call, open } = await scene();
    await open('/popup');
    await call('click', { selector });
    const popped = await until(async () => (await call('tabs')).tabs.find(({ title }: any) => title === 'Popped'));
    await call('tabs', { action: 'select', id: popped.id });
    expect((await call('snapshot')).snapshot).toContain('Popped up');
    expect((await call('tabs', { action: 'close' })).tabs.some(({ title }: any) => title === 'Popped')).toBe(false);
    const [first] = (await call('tabs')).tabs;
    await call('tabs', { action: 'select', id: first.id });
  });

  test('a download is refused, and told', async () => {
    const { call, open, origin } = await scene();
    await open('/download');
    await call('click', { selector: '#get' });
    const told = await until(async () =>
      (await call('eval', { script: '1' })).events?.find((one: string) => one.includes('ownload')),
    );
    expect(told).toContain('a.bin');
    const direct = await call('navigate', { url: `${origin}/file` });
    expect(JSON.stringify(direct)).toContain('ownload');
  });

  test('a sticky header is scrolled away from', async () => {
    const { call, open, textOf } = await scene();
    await open('/sticky');
    expect(await call('click', { selector: '#low' })).toEqual({ success: true });
    expect(await textOf('#low')).toBe('Hit');
  });

  test('something that covers the target is named', async () => {
    const { call, open } = await scene();
    await open('/covered');
    expect(await call('click', { selector: '#under' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('veil'),
    });
  });

  test('50,000 elements neither hang nor flood', async () => {
    const { call, open } = await scene();
    await open('/many');
    const { snapshot, isCut } = await call('snapshot');
    expect(isCut).toBe(true);
    expect(snapshot.length).toBeLessThan(30_000);
    expect(await call('query', { selector: 'li', all: true })).toMatchObject({ found: true, count: 1_000 });
    expect(await call('click', { selector: 'li:nth-child(40000) a' })).toMatchObject({ success: true });
  });

  test('a canvas is clicked in its middle', async () => {
    const { call, open, textOf } = await scene();
    await open('/canvas');
    expect(await call('click', { selector: '#c' })).toEqual({ success: true });
    expect(await textOf('#at')).toBe('150,100');
    expect((await call('snapshot')).snapshot).toContain('Chart');
  });

  test('text that can be edited', async () => {
    const { call, open, textOf } = await scene();
    await open('/editable');
    await call('type', { selector: '#e', text: ' more' });
    expect(await textOf('#e')).toBe('Some text more');
    await call('fill', { fields: [{ selector: '#e', value: 'New' }] });
    expect(await textOf('#e')).toBe('New');
  });

  test('a flood in the console leaves the newest', async () => {
    const { call, open } = await scene();
    await call('console', { clear: true });
    await open('/flood');
    const { count, messages } = await call('console', { clear: true });
    expect(count).toBe(1_000);
    expect(messages.at(-1).text).toBe('line 4999');
  });

  test('a service worker is no obstacle', async () => {
    const { call, open, origin } = await scene();
    await open('/worker');
    await until(async () => (await call('eval', { script: 'document.title' })).result === 'Ready');
    expect(await open('/popped')).toMatchObject({ success: true, url: `${origin}/popped` });
  });

  test('a page that moves by itself', async () => {
    const { call, open } = await scene();
    await open('/meta');
    expect(await call('wait', { selector: 'h1' })).toMatchObject({ success: true });
  });

  test.each(['#file', '#js', '#data'])('a page cannot leave http (%s)', async (selector) => {
    const { call, open } = await scene();
    await open('/leave');
    await call('click', { selector });
    const { result } = await call('eval', { script: 'location.href' });
    expect(result).toMatch(/^(http:\/\/127\.0\.0\.1:\d+\/leave|about:blank|chrome-error:\/\/chromewebdata\/)$/);
  });

  test('an endless loop costs its own call only', async () => {
    const [stuck, free] = [await browse({ timeoutSeconds: 3 }), await scene()];
    await stuck.call('navigate', { url: `${free.origin}/loop`, wait: 'load' });
    await stuck.call('click', { selector: '#loop' });
    const refused = await until(async () => {
      const answer = await stuck.call('eval', { script: '1' });
      return answer.isError === true ? answer : undefined;
    });
    expect(refused.text).toContain('3 s');
    expect(await free.open('/popped')).toMatchObject({ success: true });
    expect(await stuck.call('disconnect')).toMatchObject({ success: true });
  });

  test('a server that does not answer is an error in time', async () => {
    const { call } = await browse({ timeoutSeconds: 2 });
    const { port } = await startHttpServer(() => undefined);
    expect(await call('navigate', { url: `http://127.0.0.1:${port}/` })).toMatchObject({ isError: true });
    const { origin } = await servePages(PAGES);
    expect(await call('navigate', { url: `${origin}/popped` })).toMatchObject({ success: true });
  });

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
    await call('connect', { debug_url: chrome.debugUrl, timeout: 15 });
    const origin = await servePages(PAGES);
    expect(await call('navigate', { url: `${origin}/popped` })).toMatchObject({ success: true });
    chrome.freeze();
    const late = { isError: true, text: expect.stringContaining('did not answer within 15 s') };
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

/** A client of its own over HTTP. */
async function httpBrowsing(url: string): Promise<Browsing> {
  let session: string | undefined;
  let id = 0;
  const post = async (method: string, params: object, isCall = true) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session !== undefined && { 'mcp-session-id': session }),
    };
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', ...(isCall && { id: ++id }), method, params }),
    });
    session ??= response.headers.get('mcp-session-id') ?? undefined;
    const text = await response.text();
    const data = text.startsWith('{')
      ? text
      : text
          .split('\n')
          .filter((line) => line.startsWith('data: ') && line.includes(`"id":${id}`))
          .at(-1)
          ?.slice(6);
    return { value: JSON.parse(data ?? 'null') };
  };
  await post('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  await post('notifications/initialized', {}, false);
  return browsingOf({ request: post } as any);
}

/** Asks again until there is an answer. */
async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
