import { describe, expect, onTestFinished, test } from 'vitest';
import { evaluate } from '../../../../src/browser/actions/evaluate.ts';
import { navigate } from '../../../../src/browser/actions/navigate.ts';
import { query } from '../../../../src/browser/actions/query.ts';
import { waitFor } from '../../../../src/browser/actions/wait-for.ts';
import { CHROMIUM, launchForTests, needsChromium, openPage, useChromium } from '../../../support/browser/chromium.ts';
import { NO_END, showPage } from '../../../support/browser/shown-page.ts';

describe.skipIf(CHROMIUM === undefined)(needsChromium('a page that ends'), () => {
  const { newPage } = useChromium();

  /** Begins calls that do not end by themselves; returns what becomes of them. */
  async function callsIn(page: Awaited<ReturnType<typeof newPage>>) {
    const calls = [
      evaluate(page, 'console.log("begun"); new Promise(() => {})', NO_END),
      waitFor(page, '#never', 600_000, NO_END),
    ];
    const ended = Promise.allSettled(calls);
    await expect.poll(() => page.console.list().length).toBe(1);
    return async () => (await ended).map((one) => (one as PromiseRejectedResult).reason as unknown);
  }

  test.each([
    ['Page.crash', {}],
    ['Page.navigate', { url: 'chrome://crash' }],
  ] as const)('by a crash of the tab (%s): calls end at once, and navigate opens it again', async (method, params) => {
    const { page, pages, read } = await showPage(await newPage(), '<h1 id="old">Old</h1>');
    const failures = await callsIn(page);
    page.session.send(method, params as any).catch(() => undefined);
    const crashed = {
      code: 'BROWSER_FAILED',
      message: 'The page has crashed: use webview_navigate to open it again',
      detail: { effect: 'unknown' },
    };
    expect(await failures()).toMatchObject([crashed, crashed]);
    expect(page.events.take()).toEqual(['The page crashed.']);
    await expect(query(page, 'h1', false, NO_END)).rejects.toMatchObject(crashed);
    expect(await navigate(page, `${pages.origin}/`, { wait: 'load', signal: NO_END })).toMatchObject({ status: 200 });
    expect((await query(page, '#old', false, NO_END)).found).toBe(true);
    expect(await read('alert(1); 42')).toBe(42);
  });

  test('by being closed', async () => {
    const { page } = await showPage(await newPage(), '');
    const failures = await callsIn(page);
    await page.session.send('Page.close');
    const gone = {
      code: 'BROWSER_FAILED',
      message: 'The page is gone (the page has gone): use webview_connect to connect again',
    };
    expect(await failures()).toMatchObject([gone, gone]);
    await expect(query(page, 'h1', false, NO_END)).rejects.toMatchObject(gone);
  });

  test.each([
    ['a crash of the browser', 'Browser.crash', 'the browser has ended'],
    ['a closed connection', undefined, 'the connection was closed'],
  ] as const)('by %s', async (_what, command, reason) => {
    const browser = await launchForTests();
    onTestFinished(() => browser.stop());
    const { page } = await showPage(await openPage(browser), '');
    const failures = await callsIn(page);
    if (command === undefined) browser.connection.close();
    else browser.connection.root.send(command).catch(() => undefined);
    const gone = {
      code: 'BROWSER_FAILED',
      message: expect.stringMatching(/^The page is gone \(.*\): use webview_connect to connect again$/),
    };
    expect(await failures()).toMatchObject([gone, gone]);
    await expect(query(page, 'h1', false, NO_END)).rejects.toThrow(reason);
  });
});
