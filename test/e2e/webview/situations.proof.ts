import { describe, expect, test } from 'vitest';
import { CHROMIUM, needsChromium } from '../../support/browser/chromium.ts';
import { startHttpServer } from '../../support/http/http-server.ts';
import { servePages } from '../../support/http/page-server.ts';
import { shared } from '../../support/shared.ts';
import { browse, until } from './setup.ts';

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
});
