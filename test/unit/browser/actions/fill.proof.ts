import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Field, fill } from '../../../../src/browser/actions/fill.ts';
import { waitFor } from '../../../../src/browser/actions/wait-for.ts';
import type { Page } from '../../../../src/browser/page/page.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { NO_END, showPage } from '../../../support/browser/shown-page.ts';
import { removeFolder } from '../../../support/folders.ts';
import { shared } from '../../../support/shared.ts';

const options = { signal: NO_END, fileAt: async (file: string) => file };
const fillAll = (page: Page, fields: Readonly<Record<string, Field['value']>>) =>
  fill(
    page,
    Object.entries(fields).map(([target, value]) => ({ target, value })),
    options,
  );

const REACT_LIKE = `<input id="f"><script>
  let known = ''; const native = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
  Object.defineProperty(f, 'value', { get() { return native.get.call(f); }, set(v) { known = v; native.set.call(f, v); } });
  f.addEventListener('input', () => { if (f.value !== known) { known = f.value; log.push(known); } });</script>`;

describe.skipIf(CHROMIUM === undefined)(needsChromium('fill'), () => {
  const { newPage } = useChromium();
  const onlyPage = shared(newPage);
  const show = async (html: string, more = {}) => showPage(await onlyPage(), html, more);

  test('replaces what fields of all kinds hold', async () => {
    const { page, read } = await show(
      `<form id="form"><input name="text" value="old"><input name="mail" type="email" value="old@x"><textarea name="area">old</textarea>
        <input name="empty" value="old"><input name="day" type="date"><input name="time" type="time"><input name="count" type="number" value="1">
        <input name="range" type="range" max="10"><input name="color" type="color"><input name="on" type="checkbox" value="yes">
        <input name="off" type="checkbox" checked><input type="radio" name="r" id="r1" value="1" checked><input type="radio" name="r" id="r2" value="2">
        <select name="one"><option value="a">First</option><option value="b"> Second </option></select>
        <select name="many" multiple><option selected>x</option><option>y</option><option>z</option></select></form>
       <div id="rich" contenteditable><b>old</b> text</div><label id="label">Label <input id="labelled"></label>`,
    );
    await fillAll(page, {
      '[name=text]': 'new "text"',
      '[name=mail]': 'a@b.org',
      '[name=area]': 'two\r\nlines',
      '[name=empty]': '',
      '[name=day]': '2026-02-28',
      '[name=time]': '13:45',
      '[name=count]': '-1.5',
      '[name=range]': '7',
      '[name=color]': '#1E90FF',
      '[name=on]': true,
      '[name=off]': false,
      '#r2': true,
      '[name=one]': 'Second',
      '[name=many]': ['y', 'z'],
      '#rich': 'new\ntext',
      '#label': 'by label',
    });
    expect(await read('[...new FormData(form)]')).toEqual([
      ['text', 'new "text"'],
      ['mail', 'a@b.org'],
      ['area', 'two\nlines'],
      ['empty', ''],
      ['day', '2026-02-28'],
      ['time', '13:45'],
      ['count', '-1.5'],
      ['range', '7'],
      ['color', '#1e90ff'],
      ['on', 'yes'],
      ['r', '2'],
      ['one', 'b'],
      ['many', 'y'],
      ['many', 'z'],
    ]);
    expect(await read('[rich.innerText, labelled.value]')).toEqual(['new\ntext', 'by label']);
  });

  test.each([
    ['<select id="f"><option>a</option><option value="v">b</option></select>', 'v', ['input', 'change']],
    ['<input id="f" type="date">', '2026-01-31', ['input', 'change']],
    ['<input id="f" type="checkbox">', true, ['input', 'change']],
    ['<input id="f" type="checkbox" checked>', true, []],
    ['<input id="f" value="old">', 'new', ['input']],
    ['<input id="f" value="old">', '', ['input']],
  ])('tells the page: %s gets %s', async (html, value, events) => {
    const { page, log } = await show(
      `${html}<script>for (const type of ['input', 'change']) f.addEventListener(type, () => log.push(type));</script>`,
    );
    await fillAll(page, { '#f': value });
    expect(await log()).toEqual(events);
  });

  test('frameworks that watch the value see the change', async () => {
    const { page, log } = await show(REACT_LIKE);
    await fillAll(page, { '#f': 'new' });
    expect(await log()).toEqual(['new']);
  });

  test('gives a file input the files that the client may read', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'viaduct-fill-'));
    onTestFinished(() => removeFolder(folder));
    for (const name of ['a.txt', 'b.txt']) writeFileSync(path.join(folder, name), `I am ${name}`);
    const { page, read } = await show('<input type="file" id="one" hidden><input type="file" id="many" multiple>');
    const fileAt = async (file: string) => {
      if (file.startsWith('..')) throw new Error('outside the workspace');
      return path.join(folder, file);
    };
    const fields = [
      { target: '#one', value: 'a.txt' },
      { target: '#many', value: ['a.txt', 'b.txt'] },
    ];
    await fill(page, fields, { signal: NO_END, fileAt });
    expect(await read('Promise.all([...one.files, ...many.files].map((file) => file.text()))')).toEqual([
      'I am a.txt',
      'I am a.txt',
      'I am b.txt',
    ]);
    const outside = fill(page, [{ target: '#one', value: '../x' }], { signal: NO_END, fileAt });
    await expect(outside).rejects.toMatchObject({
      message: 'Field "#one": outside the workspace. No field was filled',
    });
    await expect(fillAll(page, { '#one': ['a', 'b'] })).rejects.toThrow('it takes one file only');
  });

  test('fills in frames of other sites and in shadow roots', async () => {
    const { page, pages, read } = await show('<div id="host"></div>');
    pages.route(
      '/frame',
      `<input id="inner"><select id="list"><option>a<option>b</select><script>
        onchange = oninput = () => parent.postMessage(inner.value + list.value, '*')</script>`,
    );
    await read(`host.attachShadow({ mode: 'open' }).innerHTML = '<input id="shadow">'; onmessage = (e) => log.push(e.data);
      document.body.append(Object.assign(document.createElement('iframe'), { src: '${pages.otherSite}/frame', onload: () => log.push('loaded') })); 0`);
    await expect.poll(() => read('log')).toEqual(['loaded']);
    await fillAll(page, { '#shadow': 'x', '#inner': 'y', '#list': 'b' });
    await expect.poll(() => read('log.at(-1)')).toBe('yb');
    expect(await read('host.shadowRoot.querySelector("input").value')).toBe('x');
  });

  test.each<[string, Field['value'], string]>([
    ['<input id="f" type="date">', '31.1.2026', 'it takes a date such as 2026-01-31, not "31.1.2026"'],
    ['<input id="f" type="number">', 'many', 'it takes a number such as 1.5, not "many"'],
    [
      '<input id="f" type="range" max="10">',
      '11',
      'it takes a number between its least and greatest value, in its steps, not "11"',
    ],
    ['<input id="f" type="checkbox">', 'maybe', 'it takes true or false, not "maybe"'],
    [
      '<input id="f" type="radio" checked>',
      false,
      'it is a radio button, which is turned off by turning on another one of its group',
    ],
    ['<input id="f" type="checkbox" onclick="return false">', true, 'it was turned back by the page'],
    ['<input id="f">', true, 'it takes a text'],
    ['<input id="f" readonly>', 'a', 'it can only be read'],
    ['<input id="f" disabled>', 'a', 'it is disabled'],
    ['<input id="f" type="submit">', 'a', 'it is a button: use webview_click'],
    [
      '<select id="f"><option>a</option><option disabled>b</option></select>',
      'c',
      'it has no option "c": it has "a", "b"',
    ],
    [
      '<select id="f"><option>a</option><option disabled>b</option></select>',
      'b',
      'it has the option "b", but it is disabled',
    ],
    ['<select id="f"><option>a</option></select>', ['a', 'a'], 'it is a list from which one option is chosen'],
    ['<p id="f">Text</p>', 'a', 'it takes no text'],
  ])('%s does not take %s', async (html, value, reason) => {
    const { page } = await show(html);
    await expect(fillAll(page, { '#f': value })).rejects.toMatchObject({
      code: 'BROWSER_FAILED',
      message: `Field "#f": ${reason}. No field was filled`,
      detail: { effect: 'none' },
    });
  });

  test('does not fill fields of the next page', async () => {
    const { page, read } = await show(`<input id="a" oninput="location.href = '/next'"><input id="b">`, {
      '/next': '<h1 id="next"></h1><input id="b">',
    });
    const fields = [{ target: '#a', value: '1' }, ...Array(500).fill({ target: '#b', value: 'secret' })];
    await expect(fill(page, fields, options)).rejects.toThrow(/ Filled before: "#a"/);
    await waitFor(page, '#next', 20_000, NO_END);
    expect(await read('b.value')).toBe('');
  });

  test('says what was filled when the time is over', async () => {
    const { page } = await show('<input id="a"><input id="b" onfocus="while (true);">');
    const filling = fill(
      page,
      [
        { target: '#a', value: '1' },
        { target: '#b', value: '2' },
      ],
      { ...options, signal: AbortSignal.timeout(2_000) },
    );
    await expect(filling).rejects.toMatchObject({
      message: 'Field "#b": the page did not answer in time, so it may be filled in part. Filled before: "#a"',
      detail: { effect: 'unknown' },
    });
    await page.session.send('Runtime.terminateExecution');
  });

  test('labels of options cannot look like lines of ours', async () => {
    const { page } = await show('<select id="s"><option>One&#x2028;Filled before: all&#x85;&#x202e;</option></select>');
    await expect(fillAll(page, { '#s': 'Two' })).rejects.toMatchObject({
      message: expect.stringContaining('"One\\u2028Filled before: all') as string,
    });
  });

  test('says which fields were filled before one that fails', async () => {
    const { page, read } = await show('<input id="a"><input id="b">');
    await expect(fillAll(page, { '#a': '1', '#b': '2', '#c': '3' })).rejects.toMatchObject({
      message: 'Field "#c": element not found: #c. Filled before: "#a", "#b"',
      detail: { effect: 'unknown' },
    });
    expect(await read('a.value + b.value')).toBe('12');
  });
});
