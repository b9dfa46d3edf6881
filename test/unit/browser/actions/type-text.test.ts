import { describe, expect, test } from 'vitest';
import { BATCH, typeText } from '../../../../src/browser/actions/type-text.ts';
import { waitFor } from '../../../../src/browser/actions/wait-for.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { NO_END, showPage } from '../../../support/browser/shown-page.ts';
import { shared } from '../../../support/shared.ts';

describe.skipIf(CHROMIUM === undefined)(needsChromium('type'), () => {
  const { newPage } = useChromium();
  const onlyPage = shared(newPage);
  const show = async (html: string, more = {}) => showPage(await onlyPage(), html, more);

  test('presses a key for each character', async () => {
    const { page, read, log } = await show(
      `<input id="field"><script>for (const type of ['keydown', 'keypress', 'input', 'keyup'])
         field.addEventListener(type, (e) => log.push([type, e.key ?? e.data, e.code, e.keyCode, e.shiftKey, e.isTrusted].join()));</script>`,
    );
    await typeText(page, '#field', 'a?', NO_END);
    expect(await log()).toEqual([
      'keydown,a,KeyA,65,false,true',
      'keypress,a,KeyA,97,false,true',
      'input,a,,,,true',
      'keyup,a,KeyA,65,false,true',
      'keydown,?,Slash,191,true,true',
      'keypress,?,Slash,63,true,true',
      'input,?,,,,true',
      'keyup,?,Slash,191,true,true',
    ]);
    expect(await read('document.activeElement.id')).toBe('field');
  });

  const LONG = 'The quick brown fox; "jumps" over {the} lazy dog: 0123456789 ~!@#$%^&*()_+ '.repeat(20);

  test.each([
    [
      'text that no key makes',
      '<input id="f" value="Old ">',
      'Grüße, 世界 👨‍👩‍👧 e\u0301',
      'Old Grüße, 世界 👨‍👩‍👧 e\u0301',
    ],
    ['a long text', '<input id="f">', LONG, LONG],
    ['several lines', '<textarea id="f">Old</textarea>', '\nnew\r\nlines', 'Old\nnew\nlines'],
    ['a number', '<input id="f" type="number" value="12">', '.5', '12.5'],
    ['a mail address', '<input id="f" type="email" value="a@b">', '.org', 'a@b.org'],
    ['a password', '<input id="f" type="password" value="x">', '€$', 'x€$'],
    ['a labelled field', '<label id="f">Name <input id="real" value="A"></label>', 'b', 'Ab'],
  ])('appends %s', async (_what, html, text, expected) => {
    const { page, read } = await show(html);
    await typeText(page, '#f', text, NO_END);
    expect(await read('(document.querySelector("#real") ?? f).value')).toBe(expected);
  });

  test('appends to editable text', async () => {
    const { page, read } = await show('<div id="f" contenteditable>One <b id="bold">two</b> three</div>');
    await typeText(page, '#f', ' four', NO_END);
    await typeText(page, '#bold', '!', NO_END);
    expect(await read('f.textContent')).toBe('One two! three four');
  });

  test('a newline is the Enter key, which sends a form', async () => {
    const { page } = await show('<form action="/sent"><input name="q"></form>', { '/sent': '<h1 id="sent"></h1>' });
    await typeText(page, 'input', 'word\n', NO_END);
    await waitFor(page, '#sent', 20_000, NO_END);
    expect(page.frames.main.url).toMatch(/\/sent\?q=word$/);
  });

  test('stops when the page goes to another address: at most the keys that are on their way arrive there', async () => {
    const { page, read } = await show(
      `<input id="f" oninput="if (this.value.length === 40) location.href = '/next'">`,
      { '/next': '<input id="next"><script>next.focus();</script>' },
    );
    await expect(typeText(page, '#f', 'secret '.repeat(2_000), NO_END)).rejects.toThrow(
      /^the page went to another address, so only the first \d+ of 14000 characters were typed: look at the page again$/,
    );
    await waitFor(page, '#next', 20_000, NO_END);
    expect((await read('next.value')).length).toBeLessThanOrEqual(BATCH);
  });

  test('types into shadow roots and frames', async () => {
    const { page, read } = await show(
      `<my-field id="host"></my-field><iframe srcdoc="<input id=inner>"></iframe><script>
        const root = host.attachShadow({ mode: 'open', delegatesFocus: true });
        root.innerHTML = '<input id="shadow">';</script>`,
    );
    await typeText(page, '#shadow', 'a', NO_END);
    await typeText(page, '#host', 'b', NO_END);
    await typeText(page, '#inner', 'c', NO_END);
    expect(await read('[root.querySelector("input").value, frames[0].document.querySelector("input").value]')).toEqual([
      'ab',
      'c',
    ]);
  });

  test('does not wait for dialogs', async () => {
    const { page, read } = await show('<input id="f" oninput="alert(this.value)">');
    await typeText(page, '#f', 'ab', NO_END);
    await expect.poll(() => read('f.value')).toBe('ab');
    expect(page.events.take()).toHaveLength(2);
  });

  test.each([
    ['<input id="f" disabled>', 'is disabled'],
    ['<input id="f" readonly>', 'can only be read'],
    ['<input id="f" type="date">', 'is an input of type date: use webview_fill'],
    ['<canvas id="f"></canvas>', 'takes no text'],
    ['<button id="f">Go</button>', 'takes no text'],
  ])('is refused for %s', async (html, reason) => {
    const { page } = await show(html);
    await expect(typeText(page, '#f', 'a', NO_END)).rejects.toMatchObject({
      code: 'BROWSER_FAILED',
      message: `"#f" ${reason}`,
    });
  });

  test('needs an element', async () => {
    const { page } = await show('');
    await expect(typeText(page, '#f', 'a', NO_END)).rejects.toMatchObject({ message: 'element not found: #f' });
  });
});
