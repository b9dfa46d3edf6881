import { describe, expect, test } from 'vitest';
import { evaluate } from '../../../../src/browser/actions/evaluate.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/browser/chromium.ts';
import { NO_END, showPage } from '../../../support/browser/shown-page.ts';
import { shared } from '../../../support/shared.ts';

describe.skipIf(CHROMIUM === undefined)(needsChromium('eval'), () => {
  const { newPage } = useChromium();
  const onlyPage = shared(newPage);
  const show = async (html: string, more = {}) => showPage(await onlyPage(), html, more);
  const evaluateIn = async (script: string, html = '') => {
    const { page } = await show(html);
    return evaluate(page, script, NO_END);
  };

  test.each([
    ['document.title', 'Title'],
    ['1 + 1', 2],
    ['const a = 1; let b = 2; a + b', 3],
    ['const a = 5; a', 5],
    ['await fetch("/").then((r) => r.status)', 200],
    ['Promise.resolve({ deep: [1] })', { deep: [1] }],
    ['(async () => { await 0; return "late"; })()', 'late'],
    ['if (false) 1; else "statement"', 'statement'],
    ['null', null],
    ['[NaN, -0, Infinity, 1n, undefined, null]', ['NaN', '-0', 'Infinity', '1n', null, null]],
    ['-0', '-0'],
    ['NaN', 'NaN'],
    ['12345678901234567890n', '12345678901234567890n'],
    ['Symbol("s")', '[Symbol(s)]'],
    ['(function go() {})', '[function go]'],
    ['({ f() {}, u: undefined })', { f: '[function f]' }],
    ['const c = { list: [] }; c.list.push(c); c', { list: ['[circular]'] }],
    ['const same = {}; [same, same]', [{}, {}]],
    ['document.body', '[element body#main.a.b]'],
    ['[...document.querySelectorAll("p")]', ['[element p]']],
    ['document.querySelectorAll("p")', ['[element p]']],
    ['document', '[node #document]'],
    ['({ w: window })', { w: '[window]' }],
    ['new Date(0)', '1970-01-01T00:00:00.000Z'],
    ['[new Map([["a", 1]]), new Set([2]), new Uint8Array([3]), /x/g]', [[['a', 1]], [2], [3], '[/x/g]']],
    ['({ get bad() { throw new Error("no") } })', { bad: '[threw Error: no]' }],
    ['new DOMRect(1, 2, 3, 4).toJSON().width', 3],
    ['JSON.parse(\'{"__proto__": 1}\')', JSON.parse('{"__proto__": 1}')],
  ])('%s', async (script, result) => {
    const html = '<title>Title</title><body id="main" class="a b"><p></p>';
    expect(await evaluateIn(script, html)).toEqual({ success: true, result });
  });

  test.each(['undefined', 'void 0', 'alert(1)', 'let x = 1'])('%s has no result', async (script) => {
    expect(await evaluateIn(script)).toEqual({ success: true });
  });

  test.each([
    ['nope.nope', /^ReferenceError: nope is not defined/],
    ['throw new TypeError("bad")', /^TypeError: bad/],
    ['throw "text"', /^Uncaught text$/],
    ['throw { a: 1 }', /^Uncaught \{a: 1\}$/],
    ['Promise.reject(new Error("rejected"))', /^Error: rejected/],
    ['await Promise.reject(8)', /^Uncaught 8$/],
    ['((', /^SyntaxError: /],
    ['throw new Error("x".repeat(10_000))', /^Error: x+…$/],
  ])('%s is told', async (script, error) => {
    const answer = await evaluateIn(script);
    expect(answer).toEqual({ success: false, error: expect.stringMatching(error) as string });
    expect(answer.error!.length).toBeLessThanOrEqual(2_000);
  });

  test('works where the page forbids to evaluate texts', async () => {
    const html = `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">`;
    expect(await evaluateIn('[1, 2].map((n) => n * 2)', html)).toEqual({ success: true, result: [2, 4] });
  });

  test.each([
    '"x".repeat(1_000_000)',
    'Array.from({ length: 1_000_000 }, (_, i) => i)',
    'Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => ["key" + i, "v"]))',
    'let deep = []; for (let i = 0; i < 1_000; i++) deep = [deep, "y".repeat(1_000)]; deep',
    'Symbol("x".repeat(1_000_000))',
    '10n ** 300_000n',
    '({ a: "x".repeat(1_000_000), b: "y".repeat(1_000_000) })',
  ])('a large result is cut: %s', async (script) => {
    const { result, isCut } = await evaluateIn(script);
    expect(isCut ?? JSON.stringify(result).includes('[deeper]')).toBe(true);
    expect(JSON.stringify(result).length).toBeLessThan(160_000);
  });

  test('a page that has replaced built-in functions cannot make it more', async () => {
    const html = `<script>Object.keys = () => Array.from({ length: 3e6 }, (_, i) => 'k' + i); Object.fromEntries = () => ({ x: 'x'.repeat(3e6) });</script>`;
    const { result, isCut } = await evaluateIn('({})', html);
    expect(isCut).toBe(true);
    expect(JSON.stringify(result).length).toBeLessThan(210_000);
  });

  test('a page that breaks the description cannot make it more', async () => {
    const html = `<script>Set.prototype.has = () => { throw new Error('no'); };</script>`;
    const { result } = await evaluateIn('new ({ ["x".repeat(1_000_000)]: class {} })["x".repeat(1_000_000)]', html);
    expect(JSON.stringify(result).length).toBeLessThan(160_000);
  });

  test('an endless loop ends with the signal, and the page can be used', async () => {
    const { page, read } = await show('');
    const controller = new AbortController();
    const looping = evaluate(page, 'console.log("begun"); while (true);', controller.signal);
    await expect.poll(() => page.console.list().map(({ text }) => text)).toContain('begun');
    controller.abort(new Error('too long'));
    await expect(looping).rejects.toThrow('too long');
    expect(await read('40 + 2')).toBe(42);
  });

  test('a promise that is never settled ends with the signal, and ends no other script', async () => {
    const { page, read } = await show('<script>let ticks = 0; setInterval(() => ticks++, 1);</script>');
    const controller = new AbortController();
    const waiting = evaluate(page, 'console.log("waits"); new Promise(() => {})', controller.signal);
    await expect.poll(() => page.console.list().map(({ text }) => text)).toContain('waits');
    controller.abort(new Error('too long'));
    await expect(waiting).rejects.toThrow('too long');
    const before = await read('ticks');
    await expect.poll(() => read('ticks')).toBeGreaterThan(before as number);
  });

  test('a page that goes elsewhere meanwhile is told', async () => {
    const { page } = await show('', { '/next': '<h1>Next</h1>' });
    const answer = await evaluate(page, 'location.href = "/next"; await new Promise(() => {})', NO_END);
    expect(answer).toEqual({ success: false, error: 'The page went to another address while the script ran' });
  });

  test('counts as an act of the user', async () => {
    expect(await evaluateIn('navigator.userActivation.isActive')).toEqual({ success: true, result: true });
  });
});
