import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHROMIUM, needsChromium } from '../../support/browser/chromium.ts';
import { temporaryFolder } from '../../support/gateway.ts';
import { servePages } from '../../support/http/page-server.ts';
import { shared } from '../../support/shared.ts';
import { browse, openBrowsing } from './setup.ts';

/** A browser starts, on a busy machine too. */
const PATIENCE = { timeout: 120_000 };
const CAPTURE = path.resolve(process.env.VIADUCT_SHARED ?? '../shared', 'data/lists/go-ai-tools.json');

const FORM = `<!doctype html><title>Form</title>
<h1>Order</h1>
<form action="/done"><label>Name <input id="name" value="A"></label>
<label>Country <select id="country"><option value="at">Austria</option><option value="de">Germany</option></select></label>
<label><input id="agree" type="checkbox"> I agree</label>
<label>Notes <textarea id="notes"></textarea></label>
<label>Letter <input id="letter" type="file"></label>
<button id="send">Send</button></form>
<button id="late" onclick="setTimeout(() => document.body.append(Object.assign(document.createElement('p'), { id: 'came', textContent: 'Here' })), 200)">Later</button>
<div id="box" style="width:200px;height:100px" data-kind="plain">Box</div>
<script>console.log('ready', { a: 1 }); console.error('bad');</script>`;

const PAGES = {
  '/form': FORM,
  '/done': '<!doctype html><title>Done</title><h1>Thank you</h1>',
  '/missing': { status: 404, html: '<h1>Not here</h1>' },
  '/old': { status: 302, headers: { location: '/done' } },
  '/api': { headers: { 'content-type': 'application/json' }, html: '{"items":[1,2]}' },
};

describe.skipIf(CHROMIUM === undefined)(needsChromium('the tools of the browser'), PATIENCE, () => {
  const scene = shared(async () => {
    const [browsing, { origin }] = [await browse(), await servePages(PAGES)];
    const open = async (where: string) => {
      const answer = await browsing.call('navigate', { url: `${origin}${where}`, wait: 'load' });
      expect(answer).toMatchObject({ success: true });
      return answer;
    };
    return { ...browsing, origin, open };
  });

  test('webview_connect and webview_disconnect say what they did, as often as they are called', async () => {
    const { call } = await openBrowsing();
    const none = { success: true, message: 'No active connection' };
    expect(await call('disconnect')).toEqual(none);
    expect(await call('connect', { timeout: 20 })).toMatchObject({
      success: true,
      message: expect.stringMatching(/^Connected to Chrome DevTools/),
    });
    expect(await call('disconnect')).toEqual({ success: true, message: 'Disconnected from Chrome DevTools' });
    expect(await call('disconnect')).toEqual(none);
  });

  test.each([
    ['navigate', { url: 'http://127.0.0.1:1/' }],
    ['click', { selector: '#a' }],
    ['type', { selector: '#a', text: 'x' }],
    ['query', { selector: 'p' }],
    ['console', {}],
    ['eval', { script: '1' }],
    ['screenshot', {}],
    ['wait', { selector: 'p' }],
    ['snapshot', {}],
    ['tabs', {}],
    ['network', {}],
    ['fill', { fields: [{ selector: '#a', value: 'x' }] }],
  ])('webview_%s without a connection is an error that says what to do', async (tool, args) => {
    const { call } = await notConnected();
    expect(await call(tool, args)).toEqual({
      isError: true,
      text: expect.stringContaining('not connected; use webview_connect first'),
    });
  });
  const notConnected = shared(() => openBrowsing());

  test('webview_connect wants a debug_url, unless a browser is started', async () => {
    const { call } = await openBrowsing({ launch: false });
    expect(await call('connect')).toEqual({ isError: true, text: expect.stringContaining('debug_url is required') });
    expect(await call('connect', { launch: true })).toMatchObject({ success: true });
  });

  test('webview_navigate returns the url, and where it ended', async () => {
    const { call, open, origin } = await scene();
    expect(await open('/form')).toEqual({ success: true, url: `${origin}/form` });
    expect(await open('/old')).toEqual({ success: true, url: `${origin}/old`, finalUrl: `${origin}/done` });
    expect(await open('/missing')).toEqual({ success: true, url: `${origin}/missing`, status: 404 });
    const dead = await call('navigate', { url: 'http://127.0.0.1:9/' });
    expect(dead).toMatchObject({ isError: true, text: expect.stringContaining('http://127.0.0.1:9/') });
    for (const url of [
      'file:///etc/passwd',
      'chrome://version',
      'javascript:alert(1)',
      'data:text/html,x',
      'view-source:http://127.0.0.1/',
    ])
      expect(await call('navigate', { url })).toMatchObject({ isError: true });
  });

  test('webview_click clicks, and fails for what is not there', async () => {
    const { call, open } = await scene();
    await open('/form');
    expect(await call('click', { selector: '#late' })).toEqual({ success: true });
    expect(await call('wait', { selector: '#came', timeout: 20 })).toEqual({
      success: true,
      message: 'Element found: #came',
    });
    expect(await call('click', { selector: '#nowhere' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('element not found'),
    });
    expect(await call('click', { selector: '' })).toMatchObject({ isError: true });
    expect(await call('click', { selector: '!!' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('!!'),
    });
  });

  test('webview_type appends, and a line break is Enter', async () => {
    const { call, open } = await scene();
    await open('/form');
    expect(await call('type', { selector: '#name', text: 'nna 🙂' })).toEqual({ success: true });
    expect(await call('eval', { script: "document.querySelector('#name').value" })).toEqual({
      success: true,
      result: 'Anna 🙂',
    });
    expect(await call('type', { selector: '#nowhere', text: 'x' })).toMatchObject({ isError: true });
    expect(await call('type', { selector: '#name', text: '\n' })).toMatchObject({ success: true });
    expect(await call('wait', { selector: 'h1' })).toMatchObject({ success: true });
  });

  test('webview_fill replaces what is in several fields', async () => {
    const folder = temporaryFolder();
    const { call } = await browse();
    const { origin } = await servePages(PAGES);
    await call('navigate', { url: `${origin}/form`, wait: 'load' });
    const fields = [
      { selector: '#name', value: 'Bert' },
      { selector: '#country', value: 'Germany' },
      { selector: '#agree', value: true },
      { selector: '#notes', value: 'Line 1\nLine 2' },
    ];
    expect(await call('fill', { fields })).toEqual({ success: true });
    const script =
      "['name','country','notes'].map((id) => document.getElementById(id).value).concat(document.getElementById('agree').checked)";
    expect(await call('eval', { script })).toEqual({ success: true, result: ['Bert', 'de', 'Line 1\nLine 2', true] });
    const letter = { selector: '#letter', value: path.join(folder, 'letter.txt') };
    expect(await call('fill', { fields: [letter] })).toMatchObject({ isError: true });
  });

  test('webview_query returns tags, attributes and places', async () => {
    const { call, open } = await scene();
    await open('/form');
    const one = await call('query', { selector: '#box' });
    expect(one).toMatchObject({ found: true, count: 1 });
    expect(one.elements).toEqual([
      {
        nodeId: expect.any(Number),
        tagName: 'DIV',
        attributes: { id: 'box', style: 'width:200px;height:100px', 'data-kind': 'plain' },
        boundingBox: { x: expect.any(Number), y: expect.any(Number), width: 200, height: 100 },
      },
    ]);
    expect((await call('query', { selector: 'option', all: true })).count).toBe(2);
    for (const all of [true, false]) {
      expect(await call('query', { selector: 'video', all })).toEqual({ found: false, count: 0, elements: [] });
      expect(await call('query', { selector: 'p[', all })).toMatchObject({
        isError: true,
        text: expect.stringContaining('p['),
      });
    }
  });

  test('webview_console returns messages until they are cleared', async () => {
    const { call, open } = await scene();
    await call('console', { clear: true });
    await open('/form');
    const { messages } = await call('console');
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(messages).toContainEqual({
      type: 'log',
      text: 'ready {a: 1}',
      timestamp,
      url: expect.stringContaining('/form'),
      line: expect.any(Number),
    });
    expect(messages).toContainEqual(expect.objectContaining({ type: 'error', text: 'bad' }));
    expect((await call('console', { clear: true })).count).toBe(messages.length);
    expect(await call('console')).toEqual({ messages: [], count: 0 });
  });

  test.each([
    ['1 + 1', { success: true, result: 2 }],
    ['Promise.resolve({ a: [1, null] })', { success: true, result: { a: [1, null] } }],
    ['await Promise.resolve(7)', { success: true, result: 7 }],
    ['const x = 3; x * 2', { success: true, result: 6 }],
    ['undefined', { success: true }],
    ["throw new TypeError('no')", { success: false, error: expect.stringContaining('TypeError: no') }],
    ['nothing.here', { success: false, error: expect.stringContaining('ReferenceError') }],
    ['][', { success: false, error: expect.stringContaining('SyntaxError') }],
  ])('webview_eval of %s', async (script, expected) => {
    const { call } = await scene();
    expect(await call('eval', { script })).toEqual(expected);
  });

  test.each([
    ['png', 'image/png', '89504e47'],
    ['jpeg', 'image/jpeg', 'ffd8ff'],
  ])('webview_screenshot is a real %s', async (format, mimeType, magic) => {
    const { raw, open } = await scene();
    await open('/form');
    const { content, structuredContent } = await raw('screenshot', { format });
    expect(structuredContent).toEqual({ success: true, data: expect.any(String), format });
    expect(Buffer.from(structuredContent.data, 'base64').toString('hex').startsWith(magic)).toBe(true);
    expect(content).toEqual([{ type: 'image', data: structuredContent.data, mimeType }]);
  });

  test('webview_screenshot links to a large picture, which only its client can read', async () => {
    const [one, other] = [await browse({ inlineBytes: 0 }), await openBrowsing()];
    const { content, structuredContent } = await one.raw('screenshot');
    expect(structuredContent).toMatchObject({
      success: true,
      format: 'png',
      uri: expect.stringMatching(/^webview:\/\/screenshots\//),
    });
    expect(content).toEqual([
      {
        type: 'resource_link',
        uri: structuredContent.uri,
        name: 'screenshot.png',
        mimeType: 'image/png',
        size: structuredContent.bytes,
      },
    ]);
    const { value } = await one.client.request('resources/read', { uri: structuredContent.uri });
    expect(Buffer.from(value.result.contents[0].blob, 'base64').length).toBe(structuredContent.bytes);
    expect((await other.client.request('resources/read', { uri: structuredContent.uri })).value.error).toBeDefined();
    expect((await one.call('screenshot', { format: 'gif' })).isError).toBe(true);
  });

  test('webview_wait keeps to its own time', async () => {
    const { call, open } = await scene();
    await open('/form');
    expect(await call('wait', { selector: '#never', timeout: 0.3 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('#never'),
    });
    expect(await call('wait', { selector: '#box', state: 'visible' })).toEqual({
      success: true,
      message: 'Element found: #box',
    });
  });

  test('webview_snapshot gives ids that the other tools accept, and differences', async () => {
    const { call, open, raw } = await scene();
    await open('/form');
    const { content, structuredContent } = await raw('snapshot');
    expect(content).toEqual([{ type: 'text', text: structuredContent.snapshot }]);
    expect(structuredContent.snapshot).toContain('heading 1 "Order"');
    const [, id] = /(e\d+) "Name/.exec(structuredContent.snapshot)!;
    expect(await call('type', { selector: id, text: 'bc' })).toEqual({ success: true });
    const { snapshot } = await call('snapshot', { difference: true });
    expect(snapshot).toContain('Abc');
    expect(snapshot).not.toContain('Order');
  });

  test('webview_tabs opens, switches and closes', async () => {
    const { call, origin } = await scene();
    const { tabs } = await call('tabs', { action: 'open', url: `${origin}/done` });
    const current = tabs.find((tab: any) => tab.current);
    expect(current).toMatchObject({ url: `${origin}/done` });
    const first = tabs.find((tab: any) => !tab.current);
    expect((await call('tabs', { action: 'select', id: first.id })).tabs.find((tab: any) => tab.current).id).toBe(
      first.id,
    );
    expect((await call('tabs', { action: 'close', id: current.id })).tabs).toHaveLength(tabs.length - 1);
    expect(await call('tabs', { action: 'select', id: current.id })).toMatchObject({ isError: true });
  });

  test('webview_network lists requests, and has their bodies', async () => {
    const { call, open, origin } = await scene();
    await open('/form');
    await call('network', { clear: true });
    await call('eval', {
      script: "await fetch('/api').then((r) => r.text()); await fetch('/missing').then((r) => r.text())",
    });
    const { requests, count } = await call('network');
    expect(count).toBe(2);
    expect(requests[0]).toMatchObject({ method: 'GET', url: `${origin}/api`, status: 200 });
    expect(await call('network', { id: requests[0].id })).toMatchObject({ body: '{"items":[1,2]}' });
    expect((await call('network', { failed: true })).requests).toEqual([expect.objectContaining({ status: 404 })]);
  });

  test.skipIf(!existsSync(CAPTURE))('names, arguments and results are those of go-ai', async () => {
    const { client } = await scene();
    const { value } = await client.request('tools/list');
    const ours = new Map<string, any>(value.result.tools.map((tool: any) => [tool.name, tool]));
    const theirs = JSON.parse(readFileSync(CAPTURE, 'utf8')).tools.filter(({ name }: any) =>
      name.startsWith('webview_'),
    );
    expect(theirs).toHaveLength(10);
    for (const { name, inputSchema, outputSchema } of theirs) {
      const tool = ours.get(name);
      expect(Object.keys(tool.inputSchema.properties ?? {}), name).toEqual(
        expect.arrayContaining(Object.keys(inputSchema.properties)),
      );
      expect(Object.keys(tool.outputSchema.properties), name).toEqual(
        expect.arrayContaining(Object.keys(outputSchema.properties)),
      );
    }
  });
});
