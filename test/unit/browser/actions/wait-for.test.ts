import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../src/browser/actions/wait-for.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { NO_END, showPage } from '../../../support/browser/shown-page.ts';
import { redirectTo } from '../../../support/http/page-server.ts';
import { shared } from '../../../support/shared.ts';

const LONG = 25_000;

describe.skipIf(CHROMIUM === undefined)(needsChromium('wait'), () => {
  const { newPage } = useChromium();
  const onlyPage = shared(newPage);
  const show = async (html: string, more = {}) => showPage(await onlyPage(), html, more);

  test('ends as soon as the element comes, can be seen, and goes', async () => {
    const { page, read } = await show('<main id="main"></main>');
    const present = waitFor(page, '#late', LONG, NO_END);
    await read(`main.innerHTML = '<p id="late" style="display: none">Late</p>'; 0`);
    await present;
    const visible = waitFor(page, '#late', LONG, NO_END, 'visible');
    const gone = waitFor(page, 'main', LONG, NO_END, 'gone');
    await read(`main.firstChild.style.display = ''; 0`);
    await visible;
    await read('main.remove()');
    await gone;
  });

  test('hidden is as good as gone', async () => {
    const { page } = await show('<p id="busy" style="visibility: hidden">Busy</p>');
    await waitFor(page, '#busy', LONG, NO_END, 'gone');
  });

  test.each([
    ['present', '#nope', 'was not on the page'],
    ['visible', '#hidden', 'was not visible'],
    ['gone', '#here', 'was still visible'],
  ] as const)('is an error after its time: %s', async (state, target, words) => {
    const { page } = await show('<p id="here">Here</p><p id="hidden" hidden>Hidden</p>');
    await expect(waitFor(page, target, 150, NO_END, state)).rejects.toMatchObject({
      code: 'BROWSER_FAILED',
      message: `"${target}" ${words} within 0.15 s`,
    });
  });

  test('goes on while the page goes elsewhere, also to another site', async () => {
    const { page, pages, read } = await show('');
    pages.route('/middle', `<script>location.href = '/step'</script>`);
    pages.route('/step', redirectTo(`${pages.otherSite}/end`));
    pages.route('/end', '<h1 id="end">End</h1>');
    const waiting = waitFor(page, '#end', LONG, NO_END);
    await read(`location.href = '/middle'; 0`);
    await waiting;
  });

  test('does not wait with an invalid selector', async () => {
    const { page } = await show('');
    await expect(waitFor(page, '!', LONG, NO_END)).rejects.toThrow('"!" is not a valid CSS selector');
  });

  test('ends in time although the page is in an endless loop', async () => {
    const { page } = await show('<script>onmessage = () => { while (true); };</script>');
    await page.session.send('Runtime.evaluate', { expression: 'postMessage(0)' });
    await expect(waitFor(page, '#x', 100, NO_END)).rejects.toThrow('"#x" was not on the page within 0.1 s');
    await page.session.send('Runtime.terminateExecution');
  });

  test('ends with the signal', async () => {
    const { page } = await show('');
    const signal = AbortSignal.abort(new Error('cancelled'));
    await expect(waitFor(page, '#x', LONG, signal)).rejects.toThrow('cancelled');
  });
});
