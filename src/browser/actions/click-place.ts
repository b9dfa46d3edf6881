import { frameElement } from '../elements/frame-element.ts';
import { browserFailed } from '../failure.ts';
import { afterPainting } from '../injected/after-painting.ts';
import { clickPoint, type Point, type PointAnswer } from '../injected/click-point.ts';
import type { Frame } from '../page/frames.ts';
import type { RemoteHandle } from '../page/in-page.ts';
import type { Page } from '../page/page.ts';
import { quotedText } from '../page/page-text.ts';

/** Ways to scroll, tried in turn while something covers the element: it may stick to the top or to the bottom. */
const BLOCKS = ['nearest', 'center', 'end', 'start'] as const;

/**
 * Scrolls an element into view and returns the point of the page's viewport to click at, in CSS pixels.
 * @param target names the element in errors
 * @returns `undefined` for an element without a box, such as one with `display: none`
 * @throws GatewayError if it is disabled, hidden or covered
 */
export async function clickPlace(
  page: Page,
  element: RemoteHandle,
  target: string,
  signal: AbortSignal,
): Promise<Point | undefined> {
  let answer: PointAnswer | undefined;
  for (const block of BLOCKS) {
    answer = await placeWith(page, element, block, signal);
    if (answer.kind !== 'covered') break;
  }
  if (answer?.kind === 'point' && element.frame.parentId !== undefined) await painted(page, element.frame, signal);
  if (answer?.kind === 'point') return answer;
  if (answer?.kind === 'boxless') return undefined;
  throw refusal(answer!, target);
}

/** Goes from the element outwards: each frame must be in view, and be hit, in the document that holds it. */
async function placeWith(
  page: Page,
  element: RemoteHandle,
  block: (typeof BLOCKS)[number],
  signal: AbortSignal,
): Promise<PointAnswer> {
  let answer = await page.scripts.call(element.frame, clickPoint, [element, block, null], signal);
  let { frame } = element;
  while (answer.kind === 'point' && frame.parentId !== undefined) {
    const owner = await frameElement(page, frame, signal);
    answer = await page.scripts.call(owner.frame, clickPoint, [owner, block, answer], signal);
    page.scripts.release(owner);
    frame = owner.frame;
  }
  return answer;
}

/** The browser finds the frame for a click in what it has painted last, which may be from before the scrolling. */
async function painted(page: Page, inner: Frame, signal: AbortSignal): Promise<void> {
  for (let frame: Frame | undefined = inner; frame !== undefined; frame = page.frames.get(frame.parentId ?? ''))
    await page.scripts.call(frame, afterPainting, [], signal);
}

function refusal(answer: PointAnswer, target: string): Error {
  const name = quotedText(target);
  if (answer.kind === 'covered')
    return browserFailed(`${name} is covered by ${quotedText(answer.by)}: close or scroll away what covers it`);
  return browserFailed(`${name} ${REFUSALS[answer.kind as keyof typeof REFUSALS]}`);
}

const REFUSALS = {
  gone: 'is not on the page any more: look at the page again',
  disabled: 'is disabled, so a click does nothing',
  hidden: 'is hidden (visibility), so it cannot be clicked',
  option: 'is an option of a list: choose it with webview_fill on the list',
} as const;
