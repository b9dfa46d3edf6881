import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';
import type { ElementPlace } from './refs.ts';

/**
 * Finds an element of the main document by a CSS selector, or any element by the id that a snapshot gave it.
 * @param target a selector, or an id such as "e12" or "[ref=e12]"
 * @throws GatewayError if the selector is no CSS
 */
export async function findElement(page: Page, target: string, signal: AbortSignal): Promise<RemoteHandle | undefined> {
  const place = page.refs.find(target.replace(/^\[ref=|\]$/g, ''));
  if (place !== undefined) return handleOf(page, place, signal);
  return page.scripts.handle(
    page.frames.main,
    (selector: string) => globalThis.document.querySelector(selector),
    [target],
    signal,
  );
}

async function handleOf(
  page: Page,
  { frame, backendNodeId }: ElementPlace,
  signal: AbortSignal,
): Promise<RemoteHandle | undefined> {
  const executionContextId = await page.frames.world(frame);
  const { object } = await frame.session.send('DOM.resolveNode', { backendNodeId, executionContextId }, signal);
  return object.objectId === undefined ? undefined : { frame, objectId: object.objectId };
}
