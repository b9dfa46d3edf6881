import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A web shop with a login, a search, a cart, a checkout and a table of orders. */
export interface Shop {
  readonly url: string;
  stop(): void;
}

const KINDS = ['Green tea', 'Black tea', 'Herbal tea', 'Coffee', 'Cocoa', 'Teapot', 'Mug', 'Kettle'];
const PRODUCTS = Array.from({ length: 24 }, (_, index) => ({
  name: `${KINDS[index % KINDS.length]} ${['Classic', 'Reserve', 'Organic'][index % 3]}`,
  price: `€ ${(2.5 + index * 0.75).toFixed(2)}`,
}));
const COUNTRIES =
  'Austria,Belgium,Czechia,Denmark,Estonia,Finland,France,Germany,Hungary,Ireland,Italy,Latvia,Spain'.split(',');

/** Serves the shop on a free port of this computer. */
export async function openShop(): Promise<Shop> {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop');
  const user = /user=(\w+)/.exec(request.headers.cookie ?? '')?.[1];
  if (request.method === 'POST') await text(request);
  const moved = MOVES[`${request.method} ${pathname}`];
  if (moved !== undefined) response.writeHead(303, moved).end();
  else {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(layout(user, contentOf(pathname, searchParams)));
  }
}

const MOVES: Readonly<Record<string, Record<string, string>>> = {
  'POST /login': { location: '/', 'set-cookie': 'user=ada; Path=/' },
  'POST /cart': { location: '/cart' },
  'POST /checkout': { location: '/thanks' },
  'GET /logout': { location: '/', 'set-cookie': 'user=; Path=/; Max-Age=0' },
};

function contentOf(pathname: string, search: URLSearchParams): string {
  if (pathname === '/login') return LOGIN;
  if (pathname === '/search') return listing(`Results for “${search.get('q')}”`, 'tea', 'results');
  if (pathname.startsWith('/product/')) return product(Number(pathname.slice('/product/'.length)));
  if (pathname === '/cart') return CART;
  if (pathname === '/checkout') return CHECKOUT;
  if (pathname === '/thanks') return '<h1 class="thanks">Thank you</h1><p>Your order 1043 is on its way.</p>';
  if (pathname === '/orders') return ORDERS;
  return listing('All products', '', 'all');
}

const layout = (
  user: string | undefined,
  content: string,
) => `<!doctype html><html lang="en"><title>Leaf &amp; Bean</title>
<style>body{font:16px sans-serif;margin:0}header,footer{padding:1em;background:#eee}nav ul{display:flex;gap:1em;list-style:none}
.products{display:grid;grid-template-columns:repeat(4,1fr);gap:1em;list-style:none}.badge{background:#060;color:#fff}</style>
<header><a href="/"><svg width="20" height="20"><title>Leaf &amp; Bean</title></svg></a>
<form action="/search" role="search"><input type="search" name="q" placeholder="Search products"><button>Search</button></form>
<nav aria-label="Main"><ul><li><a href="/">Products</a><li><a href="/cart">Cart</a>
${user === undefined ? '<li><a href="/login">Log in</a>' : '<li><a href="/orders">Orders</a><li><a href="/logout">Log out</a>'}</ul></nav>
${user === undefined ? '' : `<p class="account">Signed in as <b>${user}</b></p>`}</header>
<main>${content}</main>
<footer><nav aria-label="Footer"><ul><li><a href="/terms">Terms</a><li><a href="/privacy">Privacy</a><li><a href="/contact">Contact</a></ul></nav>
<p>© Leaf &amp; Bean. All prices include VAT.</p></footer></html>`;

const listing = (title: string, filter: string, name: string) => `<h1>${title}</h1><ul class="products ${name}">
${PRODUCTS.map((one, index) => ({ ...one, index }))
  .filter((one) => one.name.includes(filter))
  .map(
    ({
      name: product,
      price,
      index,
    }) => `<li><a href="/product/${index}"><img src="data:," alt=""><h3>${product}</h3></a>
<span class="price">${price}</span> ${index % 5 === 0 ? '<span class="badge">New</span>' : ''}
<form action="/cart" method="post"><input type="hidden" name="product" value="${index}"><button>Add to cart</button></form>`,
  )
  .join('')}</ul>`;

const product = (
  index: number,
) => `<nav aria-label="Breadcrumb"><a href="/">Products</a> › ${PRODUCTS[index]?.name}</nav>
<h1>${PRODUCTS[index]?.name}</h1><img src="data:," alt="A tin of ${PRODUCTS[index]?.name}"><p>${PRODUCTS[index]?.price}</p>
<p>Grown in the highlands, picked by hand and dried in the shade. It has a mild taste and a light colour. Brew for three minutes
with water of 80 °C; the leaves can be used twice.</p><table><caption>Details</caption><tr><th>Origin<td>Uji, Japan<tr><th>Weight<td>100 g
<tr><th>Caffeine<td>medium</table><form class="add" action="/cart" method="post"><label>Quantity <input type="number" name="count" value="1"></label>
<button>Add to cart</button></form><h2>Reviews</h2><article><h3>Lovely</h3><p>The best I have had in years.</article>
<article><h3>Good value</h3><p>Fresh, and it came quickly.</article>`;

const LOGIN = `<h1>Log in</h1><form class="login" action="/login" method="post"><label for="user">Email</label><input id="user" name="user" type="email" required>
<label for="password">Password</label><input id="password" name="password" type="password" required>
<label><input type="checkbox" name="stay"> Stay signed in</label><button>Log in</button></form><a href="/forgot">Forgot your password?</a>`;

const CART = `<h1>Cart</h1><table class="cart"><tr><th>Product<th>Price<th>Quantity<th><tr><td><a href="/product/2">Herbal tea Organic</a><td>€ 4.00<td>1
<td><button>Remove</button></table><p>Total: <b>€ 4.00</b></p><a class="next" href="/checkout">Checkout</a>`;

const CHECKOUT = `<h1>Checkout</h1><form class="checkout" action="/checkout" method="post"><fieldset><legend>Address</legend>
${['Name', 'Street', 'City', 'Postcode']
  .map((name) => `<label>${name} <input id="${name.toLowerCase()}" name="${name}" required></label>`)
  .join('')}
<label>Country <select id="country">${COUNTRIES.map((name) => `<option>${name}`).join('')}</select></label></fieldset>
<fieldset><legend>Delivery</legend><label><input type="radio" name="d" id="standard" checked> Standard (3 days)</label>
<label><input type="radio" name="d" id="express"> Express (1 day)</label></fieldset>
<label><input type="checkbox" id="terms" required> I accept the <a href="/terms">terms</a></label><button>Place order</button></form>`;

const ORDERS = `<h1>Orders</h1><table class="orders"><tr><th>Number<th>Date<th>Status<th>Total<th>
${Array.from({ length: 12 }, (_, index) => `<tr><td>${1043 - index}<td>2026-${String(12 - index).padStart(2, '0')}-03<td>${index === 0 ? 'In preparation' : 'Delivered'}<td>€ ${(4 + index * 3).toFixed(2)}<td><a href="/orders/${1043 - index}">Details</a>`).join('')}</table>`;
