import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import type { Page } from '../../../../src/browser/page/page.ts';
import { snapshot } from '../../../../src/browser/snapshot/snapshot.ts';

export const signal = () => AbortSignal.timeout(60_000);

/** Serves pages to the browser: at `/name` what `set('name', html)` gave. `localhost` is another site than `127.0.0.1`. */
export function usePages() {
  const pages = new Map<string, string>();
  const server = createServer(({ url = '/' }, response) => {
    const html = pages.get(url.slice(1).split('?')[0]!);
    response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html === undefined ? 'not here' : `<!doctype html><title>Test</title>${html}`);
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = (name: string, host = '127.0.0.1') => `http://${host}:${(server.address() as AddressInfo).port}/${name}`;
  return { url, set: (name: string, html: string) => void pages.set(name, html) };
}

/** Goes to an address and resolves when the page has loaded. */
export async function goTo(page: Page, url: string): Promise<void> {
  const loaded = new Promise((resolve) => page.session.on('Page.loadEventFired', resolve));
  await page.session.send('Page.navigate', { url });
  await loaded;
}

/** Changes a page by a script. */
export async function run(page: Page, expression: string): Promise<void> {
  await page.session.send('Runtime.evaluate', { expression, awaitPromise: true });
}

/** The lines of a snapshot between the first two and the last one. */
export async function linesIn(
  page: Page,
  options: { selector?: string; difference?: boolean } = {},
): Promise<string[]> {
  const { text } = await snapshot(page, { maxCharacters: 50_000, ...options }, signal());
  return text.split('\n').slice(2, -1);
}
