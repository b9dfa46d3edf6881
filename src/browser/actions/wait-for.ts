import { setTimeout as delay } from 'node:timers/promises';
import { orAfter } from '../../core/timing/or-after.ts';
import { CdpError } from '../cdp/cdp-error.ts';
import { findElements, idIn } from '../elements/find-element.ts';
import { resolveId } from '../elements/resolve-id.ts';
import { browserFailed } from '../failure.ts';
import { isVisible } from '../injected/element-state.ts';
import { isStale } from '../page/frames.ts';
import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';
import { quotedText } from '../page/page-text.ts';
import { usePage } from '../page/use-page.ts';

/** `gone`: no match that is visible, so also when it is only hidden. */
export type AwaitedState = 'present' | 'visible' | 'gone';

const POLL_MS = 50;
/** Matches that are examined for a visible one. */
const MAX_MATCHES = 20;

/**
 * Waits until an element is there, visible or gone. It goes on while the page goes to another address.
 * @param target a CSS selector, or the id of an element in a snapshot
 * @param timeoutMs milliseconds
 * @throws GatewayError after that time, or if the selector is invalid; the reason of `signal`
 */
export async function waitFor(
  page: Page,
  target: string,
  timeoutMs: number,
  signal: AbortSignal,
  state: AwaitedState = 'present',
): Promise<void> {
  const until = orAfter(signal, timeoutMs);
  try {
    await usePage(page, () => poll(page, target, state, until));
  } catch (error) {
    if (signal.aborted || !until.aborted) throw error;
    throw browserFailed(`${quotedText(target)} ${FAILURES[state]} within ${timeoutMs / 1_000} s`, error);
  }
}

const FAILURES = {
  present: 'was not on the page',
  visible: 'was not visible',
  gone: 'was still visible',
} as const;

/** An element that has gone does not come back with its id: then there is nothing to wait for. */
async function hasGone(page: Page, target: string, signal: AbortSignal): Promise<boolean> {
  const id = idIn(page, target);
  const element = id === undefined ? undefined : await resolveId(page, id, signal);
  if (element !== undefined) page.scripts.release(element);
  return id !== undefined && element === undefined;
}

async function poll(page: Page, target: string, state: AwaitedState, until: AbortSignal): Promise<void> {
  while (!(await isReached(page, target, state, until))) await delay(POLL_MS, undefined, { signal: until });
}

async function isReached(page: Page, target: string, state: AwaitedState, signal: AbortSignal): Promise<boolean> {
  try {
    if (state === 'gone' && (await hasGone(page, target, signal))) return true;
    const found = await findElements(page, target, state === 'present' ? 1 : MAX_MATCHES, signal);
    if (state === 'present') page.scripts.releaseAll(found);
    return state === 'present' ? found.length > 0 : (await isOneVisible(page, found, signal)) === (state === 'visible');
  } catch (error) {
    // The page is on its way to another address.
    if (error instanceof CdpError && (error.isGone || isStale(error)) && !page.session.ended.aborted) return false;
    throw error;
  }
}

/** Gives the elements back. */
async function isOneVisible(page: Page, found: readonly RemoteHandle[], signal: AbortSignal): Promise<boolean> {
  try {
    for (const element of found) if (await page.scripts.call(element.frame, isVisible, [element], signal)) return true;
    return false;
  } finally {
    page.scripts.releaseAll(found);
  }
}
