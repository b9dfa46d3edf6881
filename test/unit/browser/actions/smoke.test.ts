import { describe, expect, test } from 'vitest';
import { click } from '../../../../src/browser/actions/click.ts';
import { evaluate } from '../../../../src/browser/actions/evaluate.ts';
import { navigate } from '../../../../src/browser/actions/navigate.ts';
import { query } from '../../../../src/browser/actions/query.ts';
import { screenshot } from '../../../../src/browser/actions/screenshot.ts';
import { typeText } from '../../../../src/browser/actions/type-text.ts';
import { waitFor } from '../../../../src/browser/actions/wait-for.ts';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/chromium.ts';
import { servePages } from '../../../support/page-server.ts';

describe.skipIf(CHROMIUM === undefined)(needsChromium('smoke'), () => {
  const { newPage } = useChromium();
  test('all', async () => {
    const pages = await servePages({
      '/': `<button id=b onclick="setTimeout(()=>document.body.append(Object.assign(document.createElement('i'),{id:'late'})),200)">Go</button><input id=i value=a>
    <iframe id=f style="margin:50px;border:7px solid" srcdoc="<button id=inner onclick='document.title=1;this.textContent=9'>In</button>"></iframe>`,
    });
    pages.route('/frame', '<input id=other value=x><button id=ob onclick="this.textContent=\'clicked\'">o</button>');
    pages.route(
      '/two',
      `<h1>t</h1><iframe width=500 height=300 style="margin-top:1500px" src="${pages.otherSite}/frame"></iframe>`,
    );
    pages.route('/empty404', (r) => r.writeHead(404).end());
    pages.route('/204', (r) => r.writeHead(204).end());
    pages.route('/dl', (r) =>
      r
        .writeHead(200, { 'content-disposition': 'attachment; filename=a.txt', 'content-type': 'text/plain' })
        .end('hello'),
    );
    const page = await newPage();
    const signal = AbortSignal.timeout(50_000);
    console.log(await navigate(page, pages.origin + '/', { wait: 'load', signal }));
    await click(page, '#b', signal);
    await waitFor(page, '#late', 5000, signal);
    await typeText(page, '#i', 'Hi, Wörld! 😀', signal);
    console.log(await evaluate(page, 'await 1; const q = document.querySelector("#i").value; q', signal));
    console.log(JSON.stringify(await query(page, 'button, input', true, signal)));
    await click(page, '#inner', signal);
    console.log(JSON.stringify(await query(page, '#inner', false, signal)));
    const { data, ...rest } = await screenshot(page, { format: 'jpeg' }, signal);
    console.log(rest, data.length);
    console.log(await navigate(page, pages.origin + '/two', { wait: 'load', signal }));
    await waitFor(page, '#ob', 5000, signal);
    await click(page, '#ob', signal);
    await typeText(page, '#other', 'yes é', signal);
    console.log(
      JSON.stringify(await query(page, '#ob,#other', true, signal)),
      page.frames.list().map((f) => f.session.id),
    );
    const f = page.frames.list().at(-1)!;
    console.log(
      await page.scripts.call(
        f,
        () => document.querySelector('input')!.value + document.querySelector('button')!.textContent,
        [],
      ),
    );
    for (const url of [
      pages.origin + '/nope',
      pages.origin + '/empty404',
      pages.origin + '/204',
      pages.origin + '/dl',
      'http://127.0.0.1:1/',
      'http://127.0.0.1:9/',
      'http://dead.invalid/',
      'about:blank',
    ])
      console.log(url, await navigate(page, url, { wait: 'commit', signal }).catch((e) => e.message));
    for (const script of [
      'document',
      '({a:1,b:undefined,c(){},d:new Date(0), e:[1n,-0,NaN,null,undefined], f:document.body, g:new Map([[1,2]])})',
      'x',
      'throw 5',
      'let a = {}; a.a = a; a',
      '-0',
      '10n',
      'window',
      'Promise.reject(new Error("no"))',
      'alert(1)',
      'confirm("x")',
      'document.querySelectorAll("*")',
      'getComputedStyle(document.body)',
      '1;;;{',
      'undefined',
      '"a".repeat(200000).length',
    ])
      console.log(script, JSON.stringify(await evaluate(page, script, signal)).slice(0, 300));
    console.log(page.events.take());
    expect(1).toBe(1);
  });
});
