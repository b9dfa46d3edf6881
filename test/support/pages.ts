import type { Page } from '../../src/browser/page/page.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';

/** A web site of the test: HTML by path; anything else is not found. */
export function startSite(pages: Readonly<Record<string, string>>): Promise<HttpServer> {
  return startHttpServer(({ path }, response) => {
    const found = pages[path];
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': `${type}; charset=utf-8` }).end(found ?? '');
  });
}

/** Opens an address and waits until it is loaded. Returns the browser's error, if there is one. */
export async function openIn({ session }: Page, url: string): Promise<string | undefined> {
  const loaded = new Promise((resolve) => session.on('Page.loadEventFired', resolve));
  const { errorText } = await session.send('Page.navigate', { url });
  if (errorText === undefined) await loaded;
  return errorText;
}

/** Runs a script in the page's own world, as if its user had done it; promises are awaited. */
export async function runIn({ session }: Page, expression: string): Promise<unknown> {
  const params = { expression, awaitPromise: true, returnByValue: true, userGesture: true };
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', params);
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  return result.value;
}
