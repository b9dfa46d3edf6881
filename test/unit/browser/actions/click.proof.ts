import { describe, expect, test } from 'vitest';
import { click } from '../../../../src/browser/actions/click.ts';
import { waitFor } from '../../../../src/browser/actions/wait-for.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { NO_END, showPage } from '../../../support/browser/shown-page.ts';
import { shared } from '../../../support/shared.ts';

const TALL = '<div style="height: 3000px"></div>';

describe.skipIf(CHROMIUM === undefined)(needsChromium('click'), () => {
  const { newPage } = useChromium();
  const onlyPage = shared(newPage);
  const show = async (html: string, more = {}) => showPage(await onlyPage(), html, more);

  test('scrolls to the element and presses the mouse in its middle', async () => {
    const { page, log } = await show(
      `${TALL}<button id="go" style="width: 100px; height: 40px">Go</button>${TALL}<script>
        for (const type of ['mousemove', 'mousedown', 'mouseup', 'click'])
          go.addEventListener(type, (e) => log.push([type, e.isTrusted, e.offsetX, e.offsetY, e.buttons, e.detail].join()));
      </script>`,
    );
    await click(page, '#go', NO_END);
    const middle = 'true,48,18'; // Inside of the border of two pixels.
    expect((await log()).slice(-3)).toEqual([
      `mousedown,${middle},1,1`,
      `mouseup,${middle},0,1`,
      `click,${middle},0,1`,
    ]);
    expect((await log())[0]).toBe(`mousemove,${middle},0,0`);
  });

  test('can be double and with another button', async () => {
    const { page, log } = await show(
      `<p id="text">Text</p><script>for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick'])
         text.addEventListener(type, (e) => log.push(type + e.button));</script>`,
    );
    await click(page, '#text', NO_END, { count: 2 });
    await click(page, '#text', NO_END, { button: 'right' });
    await click(page, '#text', NO_END, { button: 'middle' });
    expect(await log()).toEqual(['click0', 'click0', 'dblclick0', 'contextmenu2', 'auxclick2', 'auxclick1']);
  });

  test.each([
    ['a header that sticks to the top', 'top: 0; height: 120px', 'scrollTo(0, 99999)'],
    ['a bar that sticks to the bottom', 'bottom: 0; height: 120px', 'scrollTo(0, 0)'],
  ])('moves an element out from under %s', async (_what, style, scroll) => {
    const { page, read, log } = await show(
      `${TALL}<button id="go" onclick="log.push('go')">Go</button>${TALL}
       <div onclick="log.push('bar')" style="position: fixed; left: 0; width: 100%; background: #ccc; ${style}">Bar</div>`,
    );
    await read(scroll);
    await click(page, '#go', NO_END);
    expect(await log()).toEqual(['go']);
  });

  test('names what covers the element, on one line, and does not click', async () => {
    const { page, read, log } = await show(
      `<button id="go" onclick="log.push('go')">Go</button>
       <div id="cookies" class="modal dark" onclick="log.push('modal')" style="position: fixed; inset: 0">Accept</div>`,
    );
    const isCovered = (by: string) => ({
      code: 'BROWSER_FAILED',
      message: `"#go" is covered by "${by}": close or scroll away what covers it`,
    });
    await expect(click(page, '#go', NO_END)).rejects.toMatchObject(isCovered('div#cookies.modal.dark'));
    await read(`cookies.id = 'a"\\n\\u202e' + 'x'.repeat(500); 0`);
    await expect(click(page, '#go', NO_END)).rejects.toMatchObject(
      isCovered(`div#a\\"\\n\\u202e${'x'.repeat(56)}.modal.dark`),
    );
    expect(await log()).toEqual([]);
  });

  test('does not depend on what a page calls its fields', async () => {
    const { page, log } = await show(
      `<img name="elementFromPoint"><button id="go" onclick="log.push('go')">Go</button>
       <button id="under">Under</button><form id="over" style="position: fixed; inset: 100px 0 0 0"><input name="id"><input name="localName"></form>
       <style>#under { position: absolute; top: 200px }</style>`,
    );
    await click(page, '#go', NO_END);
    expect(await log()).toEqual(['go']);
    await expect(click(page, '#under', NO_END)).rejects.toThrow('"#under" is covered by "form#over":');
  });

  test('takes a click on the label or on a part of the element for one on it', async () => {
    const { page, log } = await show(
      `<label style="position: relative; display: block"><input type="checkbox" id="box" onchange="log.push(this.checked)">
         <span style="position: absolute; inset: 0; background: #ddd">Covers the box</span></label>
       <button id="part" onclick="log.push('part')"><b style="padding: 20px">Part</b></button>`,
    );
    await click(page, '#box', NO_END);
    await click(page, '#part', NO_END);
    expect(await log()).toEqual([true, 'part']);
  });

  test('clicks elements without a box directly', async () => {
    const { page, log } = await show(
      `<button id="none" style="display: none" onclick="log.push('none')">None</button>
       <a id="empty" onclick="log.push('empty')"></a>
       <map name="m"><area id="area" href="#there" onclick="log.push('area')"></map>`,
    );
    for (const target of ['#none', '#empty', '#area']) await click(page, target, NO_END);
    expect(await log()).toEqual(['none', 'empty', 'area']);
  });

  test('clicks drawings', async () => {
    const { page, log } = await show(
      `<svg width="100" height="100"><circle id="dot" cx="50" cy="50" r="20" onclick="log.push('dot')"/></svg>
       <canvas id="canvas" width="100" height="60" onclick="log.push(event.offsetX + ',' + event.offsetY)"></canvas>`,
    );
    await click(page, '#dot', NO_END);
    await click(page, '#canvas', NO_END);
    expect(await log()).toEqual(['dot', '50,30']);
  });

  test.each([
    ['<button disabled><b id="go">Go</b></button>', 'is disabled, so a click does nothing'],
    ['<fieldset disabled><button id="go">Go</button></fieldset>', 'is disabled, so a click does nothing'],
    ['<button id="go" style="visibility: hidden">Go</button>', 'is hidden (visibility), so it cannot be clicked'],
    ['<select><option id="go">Go</option></select>', 'is an option of a list: choose it with webview_fill on the list'],
  ])('is refused for %s', async (html, reason) => {
    const { page } = await show(html);
    await expect(click(page, '#go', NO_END)).rejects.toMatchObject({ message: `"#go" ${reason}` });
  });

  test('needs an element', async () => {
    const { page } = await show('');
    await expect(click(page, '#nope', NO_END)).rejects.toMatchObject({
      code: 'BROWSER_FAILED',
      message: 'element not found: #nope',
    });
    await expect(click(page, 'a\nb', NO_END)).rejects.toMatchObject({ message: 'element not found: "a\\nb"' });
  });

  test('reaches into shadow roots, also where the parts of the button come from outside', async () => {
    const { page, log } = await show(
      `<my-button><i style="padding: 9px">Slotted</i></my-button><script>
        customElements.define('my-button', class extends HTMLElement {
          constructor() {
            super();
            this.attachShadow({ mode: 'open' }).innerHTML = '<div></div><button id="inner"><slot></slot></button>';
            this.shadowRoot.querySelector('button').onclick = () => log.push('inner');
            const deep = this.shadowRoot.querySelector('div').attachShadow({ mode: 'open' });
            deep.innerHTML = '<button id="deep">Deep</button>';
            deep.querySelector('button').onclick = () => log.push('deep');
          }
        });</script>`,
    );
    await click(page, '#inner', NO_END);
    await click(page, '#deep', NO_END);
    expect(await log()).toEqual(['inner', 'deep']);
  });

  test.each(['', 'other site'])('reaches into frames of frames %s', async (site) => {
    const style = 'border: 7px solid; padding: 11px; width: 600px; height: 200px; transform: scale(0.5)';
    const { page, pages, log } = await show('<iframe id="outer" style="margin-top: 2000px"></iframe>');
    const origin = site === '' ? pages.origin : pages.otherSite;
    pages.route('/outer', `${TALL}<iframe src="${pages.origin}/inner" style="${style}"></iframe>`);
    pages.route(
      '/inner',
      `${TALL}<button id="go" onclick="top.postMessage(event.offsetX + ',' + event.offsetY, '*')" style="width: 100px; height: 40px">Go</button>`,
    );
    await page.session.send('Runtime.evaluate', {
      expression: `onmessage = (e) => log.push(e.data); outer.src = '${origin}/outer'`,
    });
    await waitFor(page, '#go', 20_000, NO_END);
    await click(page, '#go', NO_END);
    await expect.poll(log).toHaveLength(1);
    const [x, y] = (await log())[0]!.split(',').map(Number);
    expect(Math.abs(x! - 50)).toBeLessThan(3);
    expect(Math.abs(y! - 20)).toBeLessThan(3);
  });

  test('sees what covers a frame', async () => {
    const { page } = await show(
      `<iframe srcdoc="<button id=go>Go</button>"></iframe><div id="above" style="position: fixed; inset: 0"></div>`,
    );
    await expect(click(page, '#go', NO_END)).rejects.toMatchObject({
      message: expect.stringContaining('is covered by "div#above"') as string,
    });
  });

  test('does not wait for dialogs', async () => {
    const { page, log } = await show(
      `<button id="go" onclick="alert('Hi\\nthere'); log.push(confirm('Sure?'), prompt('Name?', 'x'))">Go</button>`,
    );
    await click(page, '#go', NO_END);
    expect(await log()).toEqual([false, null]);
    expect(page.events.take()).toEqual([
      'The page showed an alert, which was accepted: "Hi\\nthere".',
      'The page asked a question (confirm), which was answered with "Cancel": "Sure?".',
      'The page asked a question (prompt), which was answered with "Cancel": "Name?".',
    ]);
    expect(page.events.take()).toEqual([]);
  });

  test('does not wait for a window of the system that asks for a file', async () => {
    const { page } = await show('<input type="file" id="go">');
    await click(page, '#go', NO_END);
    await expect
      .poll(() => page.events.take())
      .toEqual(['The page asked for a file: give it one with webview_fill on the file input.']);
  });

  test('leaves a page that asks whether to leave it', async () => {
    const { page, pages } = await show(
      `<input id="text"><a id="go" href="/next">Next</a><script>onbeforeunload = (e) => e.preventDefault();</script>`,
    );
    pages.route('/next', '<h1 id="next">Next</h1>');
    await click(page, '#text', NO_END);
    await click(page, '#go', NO_END);
    await waitFor(page, '#next', 20_000, NO_END);
    expect(page.events.take()).toEqual(['The page asked whether to leave it: it was left.']);
  });

  test('ends with the signal where the handler does not end', async () => {
    const { page } = await show('<button id="go" onclick="while (true);">Go</button>');
    const controller = new AbortController();
    const clicking = click(page, '#go', controller.signal);
    page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 1, y: 1 }).catch(() => undefined);
    setImmediate(() => controller.abort(new Error('too long')));
    await expect(clicking).rejects.toThrow('too long');
    await page.session.send('Runtime.terminateExecution');
  });
});
