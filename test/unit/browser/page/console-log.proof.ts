import { describe, expect, test } from 'vitest';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { showPage } from '../../../support/browser/shown-page.ts';
import { shared } from '../../../support/shared.ts';

describe.skipIf(CHROMIUM === undefined)(needsChromium('console'), () => {
  const { newPage } = useChromium();
  const onlyPage = shared(newPage);

  async function show(html: string, more = {}) {
    const page = await onlyPage();
    page.console.clear();
    const shown = await showPage(page, html, more);
    const texts = () => page.console.list().map(({ type, text }) => `${type}: ${text.split('\n')[0]}`);
    return { ...shown, texts };
  }

  test('keeps messages of all kinds with their place and time', async () => {
    const { page, pages, texts } = await show(
      `<script>
        console.log('one', 2, true, null, undefined, 3n, -0, Symbol('s'));
        console.warn({ a: 1, b: { c: 2 } }, [1, 'x'], new Error('kept'));
        console.error('%s has %d of %o%%, %cstyled', 'Ann', 5, [1], 'color: red', 'more');
        console.assert(false, 'wrong'); console.debug(document.body, () => 1);
      </script>`,
    );
    await expect
      .poll(texts)
      .toEqual([
        'log: one 2 true null undefined 3n -0 Symbol(s)',
        'warning: {a: 1, b: Object} [1, x] Error: kept',
        'error: Ann has 5 of [1]%, styled more',
        'assert: wrong',
        expect.stringMatching(/^debug: /) as string,
      ]);
    const [first] = page.console.list();
    expect(first).toMatchObject({ url: `${pages.origin}/`, line: 2 });
    expect(Date.parse(first!.timestamp)).toBeGreaterThan(Date.now() - 600_000);
    page.console.clear();
    expect(page.console.list()).toEqual([]);
  });

  test('has uncaught exceptions and rejections', async () => {
    const { texts } = await show(
      `<script>setTimeout(() => { throw new TypeError('thrown'); }); Promise.reject(new Error('rejected')); Promise.reject(7);</script>`,
    );
    await expect
      .poll(() => texts().toSorted())
      .toEqual(['error: Error: rejected', 'error: TypeError: thrown', 'error: Uncaught (in promise) 7']);
  });

  test('has what the browser complains about: requests that fail, rules that are violated', async () => {
    const { page, pages, texts } = await show(
      `<meta http-equiv="Content-Security-Policy" content="img-src 'none'"><img src="/forbidden.png"><script src="/nope.js"></script>`,
    );
    await expect
      .poll(texts)
      .toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^error: .*violates the following Content Security Policy directive/),
          'error: Failed to load resource: the server responded with a status of 404 (Not Found)',
        ]),
      );
    expect(page.console.list().map(({ url }) => url)).toContain(`${pages.origin}/nope.js`);
  });

  test('has what frames, workers and frames of other sites write', async () => {
    const { pages, texts, read } = await show('<iframe srcdoc="<script>console.log(`frame`)</script>"></iframe>', {
      '/other': `<script>console.log('other site')</script>`,
      '/worker.js': (response: any) => {
        response.writeHead(200, { 'content-type': 'text/javascript' });
        response.end(`console.log('worker'); setTimeout(() => { throw new Error('in a worker'); });`);
      },
    });
    await read(`new Worker('/worker.js');
      document.body.append(Object.assign(document.createElement('iframe'), { src: '${pages.otherSite}/other' })); 0`);
    await expect
      .poll(texts)
      .toEqual(expect.arrayContaining(['log: frame', 'log: other site', 'log: worker', 'error: Error: in a worker']));
  });

  test('keeps the newest 1,000 of a flood, and the beginning of long texts', async () => {
    const { page, read } = await show('');
    await read(`for (let i = 0; i < 100_000; i++) console.log(i, { i }); console.log('x'.repeat(5_000_000)); 0`);
    const list = () => page.console.list();
    await expect.poll(() => list().at(-1)?.text).toBe(`${'x'.repeat(9_999)}…`);
    expect(list()).toHaveLength(1_000);
    expect(list().at(-2)!.text).toBe('99999 {i: 99999}');
    expect(await read('1 + 1')).toBe(2);
  });

  test('keeps no more than an agent can read', async () => {
    const { page, read } = await show('');
    await read(`for (let i = 0; i < 200; i++) console.log(i + 'x'.repeat(10_000)); console.log('end'); 0`);
    await expect.poll(() => page.console.list().at(-1)?.text).toBe('end');
    expect(JSON.stringify(page.console.list()).length).toBeLessThan(400_000);
    expect(page.console.list().length).toBeGreaterThan(20);
  });
});
