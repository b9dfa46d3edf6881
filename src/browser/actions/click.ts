import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import { CdpError } from '../cdp/cdp-error.ts';
import { shownDocuments } from '../elements/shown-documents.ts';
import { withElement } from '../elements/with-element.ts';
import { clickDirectly, type Point } from '../injected/click-point.ts';
import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';
import { usePage } from '../page/use-page.ts';
import { clickPlace } from './click-place.ts';

export interface ClickOptions {
  /** `left` by default. */
  readonly button?: 'left' | 'right' | 'middle';
  /** 2 for a double click. */
  readonly count?: number;
}

/** Bits of `buttons` in events of the mouse. */
const PRESSED = { left: 1, right: 2, middle: 4 } as const;

/**
 * Clicks on the middle of an element with the mouse, after scrolling it into view. An element without a box gets a click event.
 * @param target a CSS selector, or the id of an element in a snapshot
 * @throws GatewayError if there is no such element, or it is disabled, hidden, or covered by another one, which the message names;
 *   the reason of `signal`
 */
export async function click(
  page: Page,
  target: string,
  signal: AbortSignal,
  options: ClickOptions = {},
): Promise<void> {
  await usePage(page, () =>
    withElement(page, target, signal, async (element) => {
      const requireShown = shownDocuments(page, element.frame);
      const place = await clickPlace(page, element, target, signal);
      if (place === undefined) return clickWithoutBox(page, element, options, signal);
      await page.session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...pointOf(place) }, signal);
      // A page that goes elsewhere would get the click in the place of something else.
      requireShown('nothing was clicked');
      await press(page, place, options, signal);
    }),
  );
}

async function clickWithoutBox(page: Page, element: RemoteHandle, { count = 1 }: ClickOptions, signal: AbortSignal) {
  for (let nth = 1; nth <= count; nth++) await page.scripts.call(element.frame, clickDirectly, [element], signal);
}

const pointOf = ({ x, y }: Point) => ({ x, y });

async function press(
  page: Page,
  { x, y }: Point,
  { button = 'left', count = 1 }: ClickOptions,
  signal: AbortSignal,
): Promise<void> {
  const send = (type: Protocol.Input.DispatchMouseEventRequest['type'], rest: object = {}) =>
    page.session.send('Input.dispatchMouseEvent', { type, x, y, ...rest }, signal);
  for (let clickCount = 1; clickCount <= count; clickCount++) {
    await unlessLeft(send('mousePressed', { button, clickCount, buttons: PRESSED[button] }));
    await unlessLeft(send('mouseReleased', { button, clickCount }));
  }
}

/** A click may close the page: then it has been made. */
async function unlessLeft(sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    if (!(error instanceof CdpError && error.isGone)) throw error;
  }
}
