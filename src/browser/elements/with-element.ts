import { browserFailed } from '../failure.ts';
import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';
import { quotedText } from '../page/page-text.ts';
import { findElement } from './find-element.ts';
import { elementGone } from './resolve-id.ts';

/**
 * Finds an element and does something with it.
 * @param target as `findElement` takes it
 * @throws GatewayError if there is no such element; what `findElement` and `work` throw
 */
export async function withElement<T>(
  page: Page,
  target: string,
  signal: AbortSignal,
  work: (element: RemoteHandle) => Promise<T>,
): Promise<T> {
  const element = await findElement(page, target, signal);
  if (element === undefined) throw notFound(page, target);
  try {
    return await work(element);
  } finally {
    page.scripts.release(element);
  }
}

/** Makes the error of a target that matches nothing. */
function notFound(page: Page, target: string): Error {
  // Ids of a document that has gone are not in the table any more.
  if (page.refs !== undefined && /^e\d{1,12}$/.test(target)) return elementGone(target);
  return browserFailed(`element not found: ${isPlain(target) ? target : quotedText(target)}`);
}

const isPlain = (target: string) => target.length <= 200 && /^[\x20-\x7e]*$/.test(target);
