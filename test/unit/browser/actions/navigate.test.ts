import { describe, expect, test } from 'vitest';
import { navigate } from '../../../../src/browser/actions/navigate.ts';
import { certificateOf } from '../../../support/auth/certificates.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { NO_END, showPage } from '../../../support/browser/shown-page.ts';
import { freePort } from '../../../support/free-port.ts';
import { startHttpServer } from '../../../support/http/http-server.ts';
import { redirectTo, sendPage } from '../../../support/http/page-server.ts';
import { shared } from '../../../support/shared.ts';

const COMMIT = { wait: 'commit', signal: NO_END } as const;

describe.skipIf(CHROMIUM === undefined)(needsChromium('navigate'), () => {
  const { newPage } = useChromium();
  const onlyPage = shared(newPage);
  const show = async (html = '', more = {}) => showPage(await onlyPage(), html, more);

  test.each([
    [200, '<h1>Here</h1>'],
    [404, '<h1>Not here</h1>'],
    [500, ''],
    [404, ''],
  ])('an answer is a success with its status: %i %j', async (status, html) => {
    const { page, pages } = await show();
    const url = pages.route('/page', (response) => {
      if (html === '') response.writeHead(status).end();
      else sendPage(response, html, status);
    });
    expect(await navigate(page, url, COMMIT)).toEqual({ url, status });
  });

  test('tells where redirects end', async () => {
    const { page, pages } = await show();
    const end = `${pages.otherSite}/end?a=b#place`;
    pages.route('/end', '<h1>End</h1>');
    pages.route('/two', redirectTo(end, 307));
    const url = pages.route('/one', redirectTo('/two'));
    expect(await navigate(page, url, COMMIT)).toEqual({ url: end, status: 200 });
  });

  test('goes to places in the same document', async () => {
    const { page, pages } = await show('<h1 id="there">There</h1>');
    const answer = await navigate(page, `${pages.origin}/#there`, { wait: 'load', signal: NO_END });
    expect(answer.url).toBe(`${pages.origin}/#there`);
  });

  test('goes to an empty page', async () => {
    const { page } = await show();
    expect(await navigate(page, 'about:blank', { wait: 'idle', signal: NO_END })).toEqual({ url: 'about:blank' });
  });

  test('names what is wrong with an address', async () => {
    const { page, pages } = await show();
    const refused = `http://127.0.0.1:${await freePort()}/`;
    const loop = pages.route('/loop', redirectTo('/loop'));
    const empty = pages.route('/empty', (response) => response.destroy());
    const none = pages.route('/none', (response) => response.writeHead(204).end());
    const { url: https } = await startHttpServer(() => undefined, 0, {
      tls: certificateOf('127.0.0.1', { hosts: ['127.0.0.1'] }),
    });
    const failures: [string, string][] = [
      [refused, 'nothing listens on this host and port. Start the server, or check the port (ERR_CONNECTION_REFUSED)'],
      ['http://dead.invalid/', 'no host has this name. Check the spelling (ERR_NAME_NOT_RESOLVED)'],
      [loop, 'the server redirects for ever (ERR_TOO_MANY_REDIRECTS)'],
      [empty, 'the server ended the connection without an answer (ERR_EMPTY_RESPONSE)'],
      [none, 'the server answered without a page, or something ended the loading (ERR_ABORTED)'],
      [https, "the server's certificate is not valid for this address (ERR_CERT_AUTHORITY_INVALID)"],
      ['http://127.0.0.1:1/', 'browsers do not open this port (ERR_UNSAFE_PORT)'],
    ];
    for (const [url, meaning] of failures)
      await expect(navigate(page, url, COMMIT)).rejects.toMatchObject({
        code: 'BROWSER_FAILED',
        message: `${JSON.stringify(url)} cannot be opened: ${meaning}`,
      });
  });

  test('says that it became a download, and the page stays', async () => {
    const { page, pages, read } = await show('<h1>Old</h1>');
    const url = pages.route('/file', (response) =>
      response.writeHead(200, { 'content-disposition': 'attachment; filename="a.txt"' }).end('text'),
    );
    expect(await navigate(page, url, COMMIT)).toEqual({ url, isDownload: true });
    expect(await read('document.querySelector("h1").textContent')).toBe('Old');
  });

  test('stops loading a page that does not answer in time', async () => {
    const { page, pages, read } = await show('<h1>Old</h1>');
    const closed = new Promise<void>((resolve) => {
      pages.route('/never', (response) => response.on('close', resolve));
    });
    const signal = AbortSignal.timeout(300);
    await expect(navigate(page, `${pages.origin}/never`, { wait: 'commit', signal })).rejects.toMatchObject({
      message: `"${pages.origin}/never" did not answer in time: loading was stopped`,
    });
    await closed;
    expect(await read('document.querySelector("h1").textContent')).toBe('Old');
  });

  test('ends in time although the page is in an endless loop', async () => {
    const { page, pages } = await show('<script>onmessage = () => { while (true); };</script>');
    pages.route('/never', () => undefined);
    await page.session.send('Runtime.evaluate', { expression: 'postMessage(0)' });
    const signal = AbortSignal.timeout(300);
    await expect(navigate(page, `${pages.origin}/never`, { wait: 'commit', signal })).rejects.toThrow('in time');
    await page.session.send('Runtime.terminateExecution');
  });

  test('ends with the reason of the signal if it is not the time', async () => {
    const { page, pages } = await show();
    const controller = new AbortController();
    pages.route('/never', () => controller.abort(new Error('cancelled')));
    const { signal } = controller;
    await expect(navigate(page, `${pages.origin}/never`, { wait: 'commit', signal })).rejects.toThrow('cancelled');
  });

  test('waits for the commit only, or for what belongs to the page', async () => {
    const { page, pages, read } = await show();
    const waiting: (() => void)[] = [];
    pages.route('/slow.js', (response) => {
      waiting.push(() => response.writeHead(200, { 'content-type': 'text/javascript' }).end('window.isLoaded = true'));
    });
    const url = pages.route('/page', '<h1>Here</h1><script src="/slow.js"></script>');
    await navigate(page, url, COMMIT);
    expect(await read('window.isLoaded ?? false')).toBe(false);
    await expect(navigate(page, `${url}?2`, { wait: 'load', signal: AbortSignal.timeout(1_000) })).rejects.toThrow(
      'was opened, but has not finished loading in time: loading was stopped',
    );
    const loading = navigate(page, `${url}?3`, { wait: 'load', signal: NO_END });
    await expect.poll(() => waiting.length).toBe(3);
    waiting[2]!();
    expect(await loading).toEqual({ url: `${url}?3`, status: 200 });
    expect(await read('isLoaded')).toBe(true);
  });

  test('waits until the page asks for nothing more', async () => {
    const { page, pages, read } = await show('', { '/data': 'data' });
    const url = pages.route(
      '/page',
      `<script>onload = async () => { for (let i = 0; i < 3; i++) await fetch('/data?' + i).then((r) => r.text()); window.isDone = true; }</script>`,
    );
    await navigate(page, url, { wait: 'idle', signal: NO_END });
    expect(await read('window.isDone ?? false')).toBe(true);
  });

  test('follows a page that goes on by itself while it is waited for', async () => {
    const { page, pages } = await show('', { '/second': '<h1>Second</h1>' });
    const url = pages.route('/first', `<script>location.replace('/second')</script><img src="/never">`);
    pages.route('/never', () => undefined);
    const answer = await navigate(page, url, { wait: 'load', signal: NO_END });
    expect(answer).toEqual({ url: `${pages.origin}/second`, status: 200 });
  });
});
