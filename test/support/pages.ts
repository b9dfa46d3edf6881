import type { Page } from '../../src/browser/page/page.ts';
import { startHttpServer } from './http-server.ts';

export interface Site {
  /** Without a slash at its end. */
  readonly origin: string;
  readonly port: number;
  /** Paths that were asked for, in their order. */
  asked(): readonly string[];
}

/** A web site that ends with the test: HTML or scripts by path; anything else is not found. */
export async function startSite(pages: Readonly<Record<string, string>>): Promise<Site> {
  const { port, requests } = await startHttpServer(({ path }, response) => {
    const found = pages[path];
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` }).end(found ?? '');
  });
  return { port, origin: `http://127.0.0.1:${port}`, asked: () => requests.map(({ path }) => path) };
}

/** Opens an address and waits until it is loaded. Returns the browser's error, if there is one. */
export async function openIn(page: Page, url: string): Promise<string | undefined> {
  const { errorText } = await page.session.send('Page.navigate', { url });
  if (errorText === undefined) await runIn(page, LOADED);
  return errorText;
}

const LOADED = `document.readyState === 'complete' || new Promise((resolve) => addEventListener('load', () => resolve(true)))`;

/** Runs a script in the page's own world, as if its user had done it; promises are awaited. */
export async function runIn({ session }: Page, expression: string): Promise<unknown> {
  const params = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', params);
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
