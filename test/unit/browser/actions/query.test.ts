import { describe, expect, test } from 'vitest';
import { query } from '../../../../src/browser/actions/query.ts';
import { waitFor } from '../../../../src/browser/actions/wait-for.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { NO_END, showPage } from '../../../support/browser/shown-page.ts';
import { shared } from '../../../support/shared.ts';

describe.skipIf(CHROMIUM === undefined)(needsChromium('query'), () => {
  const { newPage } = useChromium();
  const onlyPage = shared(newPage);
  const show = async (html: string, more = {}) => showPage(await onlyPage(), html, more);

  test('describes the first match, or all', async () => {
    const { page } = await show(
      `<style>body { margin: 0 } button { position: absolute; left: 10px; top: 20px; width: 30px; height: 40px; }</style>
       <button id="a" class="x y" disabled>A</button><button data-long="${'z'.repeat(2_000)}" hidden style="display: none">B</button>`,
    );
    const first = await query(page, 'button', false, NO_END);
    expect(first).toEqual({
      found: true,
      count: 1,
      elements: [
        {
          nodeId: expect.any(Number) as number,
          tagName: 'BUTTON',
          attributes: { id: 'a', class: 'x y', disabled: '' },
          boundingBox: { x: 10, y: 20, width: 30, height: 40 },
        },
      ],
    });
    const { count, elements } = await query(page, 'button', true, NO_END);
    expect(count).toBe(2);
    expect(elements[0]).toEqual(first.elements[0]);
    expect(elements[1]).not.toHaveProperty('boundingBox');
    expect(elements[1]!.attributes['data-long']).toBe(`${'z'.repeat(999)}…`);
  });

  test.each([false, true])('no match is an answer (all: %s)', async (all) => {
    const { page } = await show('');
    expect(await query(page, '#nope', all, NO_END)).toEqual({ found: false, count: 0, elements: [] });
  });

  test.each([
    ['p:::', false],
    ['p:::', true],
    ['', false],
    ['"\n', true],
  ])('an invalid selector is an error: %j (all: %s)', async (selector, all) => {
    const { page } = await show('<p></p>');
    await expect(query(page, selector, all, NO_END)).rejects.toMatchObject({
      code: 'BROWSER_FAILED',
      message: `${JSON.stringify(selector)} is not a valid CSS selector`,
    });
  });

  test('looks into the document, then shadow roots, then frames of the same and of other sites', async () => {
    const { page, pages } = await show(
      `<iframe style="position: absolute; left: 100px; top: 200px; border: 5px solid; padding: 1px" src="/frame"></iframe>
       <iframe id="other"></iframe><div id="host"></div><p title="document"></p>
       <script>host.attachShadow({ mode: 'open' }).innerHTML = '<p title="shadow"></p><div></div>';
         host.shadowRoot.querySelector('div').attachShadow({ mode: 'open' }).innerHTML = '<p title="deep"></p>';
         other.src = location.origin.replace('127.0.0.1', 'localhost') + '/other';</script>`,
      {
        '/frame': '<body style="margin: 0"><p title="frame" style="margin: 7px; height: 9px"></p>',
        '/other': '<p title="other" id="there"></p>',
      },
    );
    await waitFor(page, '#there', 20_000, NO_END);
    const { elements } = await query(page, 'p', true, NO_END);
    expect(elements.map(({ attributes }) => attributes.title)).toEqual([
      'document',
      'shadow',
      'deep',
      'frame',
      'other',
    ]);
    expect(elements[3]!.boundingBox).toMatchObject({ x: 113, y: 213, height: 9 });
    expect(pages.requests.map(({ headers }) => headers.host?.split(':')[0])).toContain('localhost');
    expect((await query(page, '[title=other]', false, NO_END)).count).toBe(1);
  });

  test('attributes with odd names are only attributes', async () => {
    const { page } = await show('<p __proto__="a" constructor="b"></p>');
    const { elements } = await query(page, 'p', false, NO_END);
    expect(Object.entries(elements[0]!.attributes)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  test('a form is described whatever its fields are called', async () => {
    const { page } = await show('<form id="f" title="Form"><input name="attributes"><input name="tagName"></form>');
    const { elements } = await query(page, '#f', false, NO_END);
    expect(elements[0]).toMatchObject({ tagName: 'FORM', attributes: { id: 'f', title: 'Form' } });
  });

  test('never tells a password', async () => {
    const { page } = await show('<input type="password" name="p" value="hunter2"><input name="t" value="shown">');
    const { elements } = await query(page, 'input', true, NO_END);
    expect(elements.map(({ attributes }) => attributes.value)).toEqual(['(hidden)', 'shown']);
  });

  test('attributes of many elements together are limited', async () => {
    const { page, read } = await show('<main id="all"></main>');
    await read(`const title = 'x'.repeat(10_000_000); all.innerHTML = '<p></p>'.repeat(1_000);
      for (const p of all.children) for (let i = 0; i < 5; i++) p.setAttribute('data-' + i, title.slice(0, 2_000)); all.firstChild.title = title; 0`);
    const answer = await query(page, 'p', true, NO_END);
    expect(answer.count).toBe(1_000);
    expect(JSON.stringify(answer).length).toBeLessThan(800_000);
  });

  test('returns at most 1,000 of 50,000 elements', async () => {
    const { page, read } = await show('<main id="all"></main>');
    await read('all.innerHTML = "<p>x</p>".repeat(50_000); 0');
    const { count, elements } = await query(page, 'p', true, NO_END);
    expect(count).toBe(1_000);
    expect(new Set(elements.map(({ nodeId }) => nodeId)).size).toBe(1_000);
    expect(await query(page, 'p.none', true, NO_END)).toMatchObject({ count: 0 });
  });
});
