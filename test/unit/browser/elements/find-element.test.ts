import { describe, expect, test } from 'vitest';
import { click } from '../../../../src/browser/actions/click.ts';
import { query } from '../../../../src/browser/actions/query.ts';
import { typeText } from '../../../../src/browser/actions/type-text.ts';
import { waitFor } from '../../../../src/browser/actions/wait-for.ts';
import { findElement } from '../../../../src/browser/elements/find-element.ts';
import type { Page } from '../../../../src/browser/page/page.ts';
import { snapshot } from '../../../../src/browser/snapshot/snapshot.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { NO_END, showPage } from '../../../support/browser/shown-page.ts';
import { shared } from '../../../support/shared.ts';

describe.skipIf(CHROMIUM === undefined)(needsChromium('elements'), () => {
  const { newPage } = useChromium();
  const onlyPage = shared(newPage);

  async function show(html: string) {
    const page = await onlyPage();
    return showPage(page, html);
  }

  /** Gives an id to the first match of a selector, as a snapshot does. */
  async function idOf(page: Page, selector: string, frame = page.frames.main): Promise<string> {
    const { elements } = await query(page, selector, false, NO_END);
    return page.refs.idOf(frame, elements[0]!.nodeId);
  }

  async function textOf(page: Page, target: string): Promise<string | undefined> {
    const found = await findElement(page, target, NO_END);
    return found && page.scripts.call(found.frame, (element: Element) => element.textContent!, [found]);
  }

  test('are found by an id of a snapshot', async () => {
    const { page } = await show('<p>One</p><p>Two</p><e7777>Named so</e7777>');
    const id = await idOf(page, 'p');
    expect(await textOf(page, id)).toBe('One');
    expect(await textOf(page, `[ref=${id}]`)).toBe('One');
    expect(await textOf(page, 'e7777')).toBe('Named so');
    expect((await query(page, id, true, NO_END)).elements).toMatchObject([{ tagName: 'P' }]);
  });

  test('are found by an id in frames and in closed shadow roots', async () => {
    const { page, read, log } = await show(
      `<iframe srcdoc="<input id=inner>"></iframe><div id="host"></div><script>
        const root = host.attachShadow({ mode: 'closed' }); root.innerHTML = '<button>Closed</button>';
        root.firstChild.onclick = () => log.push('closed');</script>`,
    );
    const { root } = await page.session.send('DOM.getDocument', { depth: -1, pierce: true });
    const text = JSON.stringify(root);
    const [, closed] = /"backendNodeId":(\d+),"nodeType":1,"nodeName":"BUTTON"/.exec(text)!;
    const inFrame = await idOf(page, '#inner', page.frames.list()[1]!);
    await click(page, page.refs.idOf(page.frames.main, Number(closed)), NO_END);
    await typeText(page, inFrame, 'in the frame', NO_END);
    expect(await log()).toEqual(['closed']);
    expect(await read('frames[0].document.querySelector("input").value')).toBe('in the frame');
  });

  test.each([(id: string) => id, (id: string) => `[ref=${id}]`])('that have gone are told of, by %s', async (spell) => {
    const { page, read, pages } = await show('<p>One</p>');
    const id = await idOf(page, 'p');
    const gone = { code: 'BROWSER_FAILED', message: `${id} is not on the page any more: take a new snapshot` };
    await read('window.kept = document.querySelector("p"); kept.remove()');
    await expect(click(page, spell(id), NO_END)).rejects.toMatchObject(gone);
    await expect(waitFor(page, spell(id), 10_000, NO_END)).rejects.toMatchObject(gone);
    await waitFor(page, spell(id), 10_000, NO_END, 'gone');
    await page.session.send('Page.navigate', { url: `${pages.origin}/other` });
    await expect(click(page, spell(id), NO_END)).rejects.toMatchObject(gone);
  });

  test.each<[string, (page: Page) => Promise<unknown>]>([
    ['query', (page) => query(page, 'button', true, NO_END)],
    ['snapshot', (page) => snapshot(page, { maxCharacters: 10_000 }, NO_END)],
    ['snapshot of a part', (page) => snapshot(page, { selector: 'main', maxCharacters: 10_000 }, NO_END)],
    ['wait', (page) => waitFor(page, 'button', 10_000, NO_END, 'visible')],
  ])('that nothing holds any more can be forgotten by the page after a %s', async (_name, look) => {
    const { page, read } = await show('<main></main>');
    await read(`window.forgotten = 0; window.registry = new FinalizationRegistry(() => { forgotten++; });
      for (let i = 0; i < 20; i++) { const p = document.createElement('button'); p.append('Go'); registry.register(p, i); document.querySelector('main').append(p); } 0`);
    await look(page);
    await read('document.querySelector("main").remove()');
    await expect
      .poll(async () => {
        await page.session.send('HeapProfiler.collectGarbage');
        return read('forgotten');
      })
      .toBeGreaterThan(15);
  });

  test('are found where the page has named others like functions of the document', async () => {
    const { page } = await show(
      '<img name="querySelector"><img name="querySelectorAll"><form><input name="shadowRoot"></form><p>Here</p>',
    );
    expect(await textOf(page, 'p')).toBe('Here');
    expect((await query(page, 'p', true, NO_END)).count).toBe(1);
  });

  test('one frame that does not answer does not hide the main document', async () => {
    const { page, pages, read } = await show('<p>Here</p>');
    pages.route('/busy', `<script>onmessage = () => { while (true); };</script>`);
    await read(`const frame = Object.assign(document.createElement('iframe'), { src: '${pages.otherSite}/busy' });
      document.body.append(frame); await new Promise((resolve) => { frame.onload = resolve; }); frame.contentWindow.postMessage(0, '*'); 0`);
    expect(await textOf(page, 'p')).toBe('Here');
    await expect(findElement(page, '#nope', AbortSignal.timeout(300))).rejects.toThrow('timeout');
    await read('frame.remove()');
    expect(await textOf(page, '#nope')).toBeUndefined();
  });
});
