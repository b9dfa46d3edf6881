import { CdpError } from '../cdp/cdp-error.ts';
import { browserFailed } from '../failure.ts';
import { isOnPage } from '../injected/is-on-page.ts';
import { isStale } from '../page/frames.ts';
import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';

/**
 * Returns the element that a snapshot gave an id to.
 * @param id such as `e12`
 * @throws GatewayError if it is not on the page any more; CdpError; the reason of `signal`
 */
export async function resolveId(page: Page, id: string, signal: AbortSignal): Promise<RemoteHandle> {
  try {
    const place = page.refs?.find(id);
    const handle = place && (await page.scripts.resolve(place.frame, place.backendNodeId, signal));
    if (handle !== undefined && (await page.scripts.call(handle.frame, isOnPage, [handle], signal))) return handle;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  throw elementGone(id);
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
