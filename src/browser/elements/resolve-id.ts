import { CdpError } from '../cdp/cdp-error.ts';
import { browserFailed } from '../failure.ts';
import { isOnPage } from '../injected/is-on-page.ts';
import { isStale } from '../page/frames.ts';
import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';

/**
 * Returns the element that a snapshot gave an id to; `undefined` if it is not on the page any more.
 * @param id such as `e12`
 * @throws CdpError; the reason of `signal`
 */
export async function resolveId(page: Page, id: string, signal: AbortSignal): Promise<RemoteHandle | undefined> {
  const place = page.refs?.find(id);
  if (place === undefined) return undefined;
  try {
    const handle = await page.scripts.resolve(place.frame, place.backendNodeId, signal);
    if (await isThere(page, handle, signal)) return handle;
    page.scripts.release(handle);
    return undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function isThere(page: Page, handle: RemoteHandle, signal: AbortSignal): Promise<boolean> {
  try {
    return await page.scripts.call(handle.frame, isOnPage, [handle], signal);
  } catch (error) {
    page.scripts.release(handle);
    throw error;
  }
}

/** Makes the error of an id whose element is not there any more. */
export function elementGone(id: string): Error {
  return browserFailed(`${id} is not on the page any more: take a new snapshot`);
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof CdpError)) return false;
  return error.isGone || isStale(error) || MISSING.some((words) => error.message.includes(words));
}

const MISSING = [
  'No node with given id',
  'No node found',
  'Node with given id does not belong',
  'Could not find object',
];
