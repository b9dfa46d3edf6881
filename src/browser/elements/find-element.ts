import { findFirst, findElements as findIn } from '../injected/find-elements.ts';
import type { Frame } from '../page/frames.ts';
import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';
import { eachFrame } from './each-frame.ts';
import { elementGone, resolveId } from './resolve-id.ts';

/**
 * Finds one element.
 * @param target a CSS selector, or the id of an element in a snapshot: `[ref=e12]`, or `e12` if the page's table has it
 * @returns the first match: of the main document, then of its open shadow roots, then of the other frames; `undefined` if there is
 *   none. `page.scripts.release` gives it back.
 * @throws GatewayError if the selector is invalid, or the element of an id is not on the page any more; CdpError; the reason of `signal`
 */
export async function findElement(page: Page, target: string, signal: AbortSignal): Promise<RemoteHandle | undefined> {
  const id = idIn(page, target);
  if (id !== undefined) return byId(page, id, signal);
  let found: RemoteHandle | undefined;
  await eachFrame(
    page,
    target,
    async (frame) => {
      found = await page.scripts.handle(frame, findFirst, [target], signal);
    },
    () => found !== undefined,
  );
  return found;
}

/**
 * Finds all elements that a selector matches, in the order of `findElement`.
 * @param selector as the target of `findElement`
 * @param limit number of elements
 * @returns handles that `page.scripts.release` gives back
 * @throws as `findElement`
 */
export async function findElements(
  page: Page,
  selector: string,
  limit: number,
  signal: AbortSignal,
): Promise<readonly RemoteHandle[]> {
  const id = idIn(page, selector);
  if (id !== undefined) return [await byId(page, id, signal)];
  const found: RemoteHandle[] = [];
  try {
    await eachFrame(
      page,
      selector,
      async (frame) =>
        void found.push(...(await matchesIn(page, frame, { selector, limit: limit - found.length, signal }))),
      () => found.length >= limit,
    );
    return found;
  } catch (error) {
    page.scripts.releaseAll(found);
    throw error;
  }
}

async function matchesIn(
  page: Page,
  frame: Frame,
  { selector, limit, signal }: { selector: string; limit: number; signal: AbortSignal },
): Promise<readonly RemoteHandle[]> {
  const array = (await page.scripts.handle(frame, findIn, [selector, limit], signal))!;
  let items: readonly RemoteHandle[] = [];
  try {
    items = await page.scripts.items(array, signal);
    return items;
  } finally {
    // The others are given back with the elements.
    if (items.length === 0) page.scripts.release(array);
  }
}

async function byId(page: Page, id: string, signal: AbortSignal): Promise<RemoteHandle> {
  const element = await resolveId(page, id, signal);
  if (element === undefined) throw elementGone(id);
  return element;
}

/** Returns the id that a target is, or `undefined` for a selector. An id that was never given may be the name of an element. */
export function idIn(page: Page, target: string): string | undefined {
  const text = target.trim();
  const [, marked] = /^\[ref=(e\d{1,12})\]$/.exec(text) ?? [];
  return marked ?? (page.refs.wasGiven(text) ? text : undefined);
}
