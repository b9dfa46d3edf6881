import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { CdpConnection } from '../../../../src/browser/cdp/cdp-connection.ts';
import { pipeWire } from '../../../../src/browser/cdp/pipe-wire.ts';
import type { Page } from '../../../../src/browser/page/page.ts';
import { CHROMIUM, needsChromium } from '../../../support/browser/chromium.ts';
import { openIn, runIn } from '../../../support/browser/pages.ts';
import { openVisits } from '../../../support/browser/visits.ts';
import { temporaryFolder } from '../../../support/gateway.ts';
import { startHttpServer } from '../../../support/http/http-server.ts';
import { servePages } from '../../../support/http/page-server.ts';
import { processesWith } from '../../../support/processes.ts';

/** More of them prove more: VIADUCT_BROWSER_CYCLES=50 */
const CYCLES = Number(process.env.VIADUCT_BROWSER_CYCLES ?? 2);

describe.skipIf(CHROMIUM === undefined)(needsChromium('visits in a browser of the gateway'), () => {
  test('share the browser but no cookies; the browser ends with its last client', async () => {
    const { visits, connect, launches, profiles } = openVisits();
    const site = await servePages({ '/': '<title>Hello</title>' });
    const [one, two] = await Promise.all([connect('one'), connect('two')]);
    await openIn(one.page, site.origin);
    await openIn(two.page, site.origin);
    await runIn(one.page, 'document.cookie = "who=one"');
    expect(await runIn(two.page, 'document.cookie')).toBe('');
    expect(await two.tabs()).toMatchObject([{ id: 't1', title: 'Hello', isCurrent: true }]);
    expect(launches).toHaveLength(1);

    expect(await visits.disconnect('one')).toBe(true);
    expect(await runIn(two.page, 'document.title')).toBe('Hello');
    expect(profiles()).toHaveLength(1);
    expect(await visits.disconnect('two')).toBe(true);
    expect(profiles()).toEqual([]);
    expect(await visits.disconnect('two')).toBe(false);
    expect(() => visits.get('two')).toThrow('not connected; use webview_connect first');
  });

  test('a client that connects again gets a new visit, and loses the old one', async () => {
    const { connect, visits } = openVisits();
    const first = await connect('one');
    const { page } = first;
    const second = await connect('one');
    expect(page.session.ended.aborted).toBe(true);
    expect(visits.get('one')).toBe(second);
  });

  test('two connects of one client at once leave one visit', async () => {
    const { connect, visits, profiles } = openVisits();
    const results = await Promise.allSettled([connect('one'), connect('one')]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect(await visits.disconnect('one')).toBe(true);
    expect(profiles()).toEqual([]);
  });

  test('a client that goes while it connects leaves nothing behind', async () => {
    const { connect, visits, profiles } = openVisits();
    const connecting = connect('one');
    const refused = expect(connecting).rejects.toMatchObject({ message: 'the client has disconnected' });
    await visits.onSessionEnded('one');
    await refused;
    expect(profiles()).toEqual([]);
    expect(() => visits.get('one')).toThrow('not connected');
  });

  test('a browser that crashes is told of, leaves no profile, and is replaced', async () => {
    const { connect, profiles, launches } = openVisits();
    const [one, two] = await Promise.all([connect('one'), connect('two')]);
    const { session } = one.page;
    const ended = new Promise((resolve) => session.ended.addEventListener('abort', resolve));
    await one.page.session.send('Browser.crash' as never).catch(() => undefined);
    await ended;
    for (const visit of [one, two])
      expect(() => visit.page).toThrow('the browser has ended: use webview_connect to connect again');
    await expect.poll(profiles).toEqual([]);
    const again = await connect('one');
    expect(await runIn(again.page, '1 + 1')).toBe(2);
    expect(launches).toHaveLength(2);
  });

  test('pop-ups become tabs; the current tab stays until another one is selected', async () => {
    const { connect, events } = openVisits();
    const site = await servePages({ '/': '<title>Main</title>', '/more': '<title>More</title>' });
    const visit = await connect('one');
    await openIn(visit.page, site.origin);
    await runIn(visit.page, 'void window.open("/more")');
    await expect.poll(() => events).toContain('The page opened the tab t2.');
    await expect
      .poll(() => visit.tabs())
      .toMatchObject([
        { id: 't1', title: 'Main', isCurrent: true },
        { id: 't2', title: 'More', isCurrent: false },
      ]);
    expect(await visit.selectTab('t2')).toMatchObject({ title: 'More', isCurrent: true });
    expect(await runIn(visit.page, 'document.title')).toBe('More');

    await visit.closeTab('t2');
    expect(() => visit.page).toThrow('the current tab was closed: select or open another one with webview_tabs');
    expect(await visit.openTab()).toMatchObject({ id: 't3', url: 'about:blank', isCurrent: true });
    await expect(visit.selectTab('t2')).rejects.toThrow('there is no tab "t2"');
  });

  test('no more tabs and visits are opened than the limits say', async () => {
    const { connect, events } = openVisits({ limits: { visits: 1, tabs: 1 } });
    const visit = await connect('one');
    await expect(connect('two')).rejects.toThrow('1 clients have a browser, which is the limit');
    await expect(visit.openTab()).rejects.toThrow('1 tabs are open, which is the limit: close one first');
    await runIn(visit.page, 'void window.open("about:blank")');
    await expect.poll(() => events).toEqual([expect.stringContaining('The page opened another tab, which was closed')]);
    await expect.poll(() => visit.tabs()).toHaveLength(1);
  });

  test(`${CYCLES} times two clients come and go, and leave no process and no folder`, {
    timeout: CYCLES * 60_000,
  }, async () => {
    const { connect, visits, profiles } = openVisits();
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      await Promise.all([connect('one'), connect('two')]);
      const [profile] = profiles();
      expect(processesWith(profile!)).not.toEqual([]);
      await Promise.all([visits.disconnect('one'), visits.onSessionEnded('two')]);
      expect(processesWith(profile!)).toEqual([]);
      expect(profiles()).toEqual([]);
    }
  });

  test('downloads of one client are not told to another', async () => {
    const site = await startHttpServer((_request, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename="secret.txt"' }).end('hello'),
    );
    const told: [Page, string][] = [];
    const { connect } = openVisits({ onEvent: (page, sentence) => void told.push([page, sentence]) });
    const [one, two] = [await connect('one'), await connect('two')];
    await one.page.session.send('Page.navigate', { url: `http://127.0.0.1:${site.port}/` });
    await two.page.session.send('Page.navigate', { url: `http://127.0.0.1:${site.port}/two` });
    await expect.poll(() => told.map(([, sentence]) => sentence).join('\n')).toContain('/two" was refused');
    expect(told.map(([page]) => page.targetId)).toEqual([one.page.targetId, two.page.targetId]);
  });

  test('a pop-up without an opener is a tab of its client alone', async () => {
    const { connect, events } = openVisits();
    const site = await servePages({ '/': '<title>Main</title>', '/more': '<title>More</title>' });
    const [one, two] = [await connect('one'), await connect('two')];
    await openIn(one.page, site.origin);
    await runIn(one.page, 'void window.open("/more", "", "noopener")');
    await expect.poll(() => events).toEqual(['The page opened the tab t2.']);
    expect((await one.tabs()).map(({ isOwn }) => isOwn)).toEqual([true, true]);
    expect(await two.tabs()).toHaveLength(1);
  });

  test('downloads are refused unless there is a folder for them, and told of', async () => {
    const downloads = temporaryFolder();
    const site = await startHttpServer((_request, response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename="re"port.txt"' }).end('hello'),
    );
    const url = `http://127.0.0.1:${site.port}/`;
    const closed = openVisits();
    const open = openVisits({ downloads });
    for (const { connect } of [closed, open]) {
      const { page } = await connect('one');
      await page.session.send('Page.navigate', { url });
    }
    await expect
      .poll(() => closed.events)
      .toEqual([`The download of "re_port.txt" from "${url}" was refused: downloads are off.`]);
    const file = path.join(downloads, 're_port.txt');
    await expect
      .poll(() => open.events)
      .toEqual([`"re_port.txt" from "${url}" was downloaded to "${file}" (5 bytes).`]);
    expect(readFileSync(file, 'utf8')).toBe('hello');
  });
});

test('a browser that does not answer any more while it is prepared is given up with the call', async () => {
  const [toBrowser, fromBrowser] = [new PassThrough(), new PassThrough()];
  const stops: number[] = [];
  const { connect, visits } = openVisits({
    launch: async () => ({
      connection: new CdpConnection(pipeWire(toBrowser, fromBrowser)),
      stop: async () => void stops.push(1),
    }),
  });
  const abort = new AbortController();
  const connecting = connect('one', { signal: abort.signal });
  await once(toBrowser, 'readable');
  abort.abort(new Error('enough'));
  await expect(connecting).rejects.toThrow('enough');
  expect(stops).toEqual([1]);
  expect(await visits.disconnect('one')).toBe(false);
});
