import { describe, expect, test } from 'vitest';
import { CHROMIUM, needsChromium, useChromium } from '../../../support/chromium.ts';
import { goTo, linesIn, usePages } from './setup.ts';

describe.skipIf(CHROMIUM === undefined)(needsChromium('a snapshot'), () => {
  const { newPage } = useChromium();
  const pages = usePages();

  async function pageWith(html: string) {
    const page = await newPage();
    pages.set('page', html);
    await goTo(page, pages.url('page'));
    return page;
  }

  test('x', async () => {
    const page =
      await pageWith(`<nav aria-label="Main"><ul><li><a href="/">Home</a></li><li><a href="/cart?x=1">Cart <b>(2)</b></a></li></ul></nav>
    <main><h1>Shop</h1><p>Read the <a href="#terms">terms</a> first.
    <form><label>Name <input name="n" value="abc" required autofocus></label><label for=p>Password</label><input id=p type=password value=secret>
    <label><input type=checkbox checked> I accept the <a href="https://other.example/x y">rules</a></label>
    <select aria-label=Country><option>Austria<option selected>Italy<option>Spain</select><button disabled>Buy</button></form>
    <table><caption>Orders</caption><tr><th>Name<th>Price<th></tr><tr><td>Tea<td>2.50<td><button>Remove</button></tr></table>
    <div style="cursor:pointer">Click <span>me</span></div><div hidden>no</div><img src="x" alt="Logo"><img src=y>
    <iframe srcdoc="<button>Inside</button>" title="Ad"></iframe>
    <ul><li>One<li>Two <button>x</button><p>more</ul><div contenteditable>Edit <b>me</b></div><details><summary>More</summary>hidden text</details>
    <form><input name=attributes><input name=childNodes><input name=localName></form>
    </main>`);
    console.log((await linesIn(page)).join('\n'));
    expect(1).toBe(1);
  });
});
