import { describe, expect, test } from 'vitest';
import { click } from '../../../../src/browser/actions/click.ts';
import { query } from '../../../../src/browser/actions/query.ts';
import { typeText } from '../../../../src/browser/actions/type-text.ts';
import { waitFor } from '../../../../src/browser/actions/wait-for.ts';
import { findElement } from '../../../../src/browser/elements/find-element.ts';
import type { ElementPlace, ElementRefs } from '../../../../src/browser/elements/refs.ts';
import type { Page } from '../../../../src/browser/page/page.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/chromium.ts';
import { shared } from '../../../support/shared.ts';
import { NO_END, showPage } from '../../../support/shown-page.ts';

/** A table as snapshots keep one: ids in the order in which they are asked for. */
function refsTable(page: Page): ElementRefs & { readonly places: ElementPlace[] } {
  const places: ElementPlace[] = [];
  return {
    places,
    idOf: (frame, backendNodeId) => `e${places.push({ frame, backendNodeId })}`,
    find(id) {
      const place = places[Number(id.slice(1)) - 1];
      return place !== undefined && page.frames.get(place.frame.id)?.url === place.frame.url ? place : undefined;
    },
  };
}

describe.skipIf(CHROMIUM === undefined)(needsChromium('elements'), () => {
  const { newPage } = useChromium();
  const onlyPage = shared(newPage);

  async function show(html: string) {
    const page = await onlyPage();
    const refs = refsTable(page);
    page.refs = refs;
    return { ...(await showPage(page, html)), refs };
  }

  async function textOf(page: Page, target: string): Promise<string | undefined> {
    const found = await findElement(page, target, NO_END);
    return found && page.scripts.call(found.frame, (element: Element) => element.textContent!, [found]);
  }

  test('are found by an id of a snapshot', async () => {
    const { page } = await show('<p>One</p><p>Two</p><e1>Named e1</e1><e7>Named e7</e7>');
    const { elements } = await query(page, 'p', true, NO_END);
    expect(elements.map(({ ref }) => ref)).toEqual(['e1', 'e2']);
    expect(await textOf(page, 'e1')).toBe('One');
    expect(await textOf(page, '[ref=e2]')).toBe('Two');
    expect(await textOf(page, 'e7')).toBe('Named e7');
    expect((await query(page, 'e2', true, NO_END)).elements).toMatchObject([{ tagName: 'P' }]);
  });

  test('are found by an id in frames and in closed shadow roots', async () => {
    const { page, refs, read, log } = await show(
      `<iframe srcdoc="<input id=inner>"></iframe><div id="host"></div><script>
        const root = host.attachShadow({ mode: 'closed' }); root.innerHTML = '<button>Closed</button>';
        root.firstChild.onclick = () => log.push('closed');</script>`,
    );
    const { root } = await page.session.send('DOM.getDocument', { depth: -1, pierce: true });
    const text = JSON.stringify(root);
    const [, closed] = /"backendNodeId":(\d+),"nodeType":1,"nodeName":"BUTTON"/.exec(text)!;
    const inFrame = (await query(page, '#inner', false, NO_END)).elements[0]!.ref!;
    await click(page, refs.idOf(page.frames.main, Number(closed)), NO_END);
    await typeText(page, inFrame, 'in the frame', NO_END);
    expect(await log()).toEqual(['closed']);
    expect(await read('frames[0].document.querySelector("input").value')).toBe('in the frame');
  });

  test.each(['e1', '[ref=e1]'])('that have gone are told of: %s', async (id) => {
    const { page, read, pages } = await show('<p>One</p>');
    await query(page, 'p', false, NO_END);
    const gone = { code: 'BROWSER_FAILED', message: 'e1 is not on the page any more: take a new snapshot' };
    await read('window.kept = document.querySelector("p"); kept.remove()');
    await expect(click(page, id, NO_END)).rejects.toMatchObject(gone);
    await expect(waitFor(page, id, 10_000, NO_END)).rejects.toMatchObject(gone);
    await waitFor(page, id, 10_000, NO_END, 'gone');
    await page.session.send('Page.navigate', { url: `${pages.origin}/other` });
    await expect(click(page, id, NO_END)).rejects.toMatchObject(gone);
    page.refs = refsTable(page);
    await expect(click(page, id, NO_END)).rejects.toMatchObject(gone);
  });

  test('that nothing holds any more can be forgotten by the page', async () => {
    const { page, read } = await show('<main></main>');
    await read(`window.forgotten = 0; const registry = new FinalizationRegistry(() => { forgotten++; });
      for (let i = 0; i < 20; i++) { const p = document.createElement('p'); registry.register(p, i); document.querySelector('main').append(p); } 0`);
    expect((await query(page, 'p', true, NO_END)).count).toBe(20);
    await read('document.querySelector("main").remove()');
    await expect
      .poll(async () => {
        await page.session.send('HeapProfiler.collectGarbage');
        return read('forgotten');
      })
      .toBeGreaterThan(15);
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
