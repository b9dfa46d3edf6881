import type { Page } from '../../../src/browser/page/page.ts';

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
