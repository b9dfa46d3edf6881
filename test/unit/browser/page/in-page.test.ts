import { describe, expect, test } from 'vitest';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';

describe.skipIf(CHROMIUM === undefined)(needsChromium('scripts in a page'), () => {
  const { newPage } = useChromium();

  async function pageWith(html: string) {
    const page = await newPage();
    const loaded = new Promise((resolve) => page.session.on('Page.loadEventFired', resolve));
    await page.session.send('Page.navigate', { url: `data:text/html,${encodeURIComponent(html)}` });
    await loaded;
    return page;
  }

  test('see the document of each frame, and what pages do to built-in objects does not reach them', async () => {
    const html = `<h1>Outside</h1><iframe srcdoc="<h1>Inside</h1>"></iframe><script>document.querySelector = () => null; Array.prototype.map = () => [];</script>`;
    const page = await pageWith(html);
    const titles = page.frames.list().map((frame) =>
      page.scripts.call(
        frame,
        (selector: string) => {
          const textOf = () => document.querySelector(selector)?.textContent ?? null;
          return [selector].map(textOf)[0];
        },
        ['h1'],
      ),
    );
    expect(await Promise.all(titles)).toEqual(['Outside', 'Inside']);
  });

  test('an error of a script is told in its own words', async () => {
    const page = await pageWith('');
    const failing = page.scripts.call(page.frames.main, () => {
      throw new Error('nothing here');
    }, []);
    await expect(failing).rejects.toMatchObject({ code: 'BROWSER_FAILED', message: 'nothing here' });
  });
});
