import { type Box, contentOrigin } from '../injected/describe-elements.ts';
import type { Frame } from '../page/frames.ts';
import type { Page } from '../page/page.ts';
import { frameElement } from './frame-element.ts';

/** Turns a box in a frame's viewport into one in the page's viewport, in CSS pixels. */
export type BoxMapping = (box: Box) => Box;

/** Returns the mapping for a frame. @throws GatewayError if the frame has gone; CdpError; the reason of `signal` */
export async function boxMapping(page: Page, frame: Frame, signal: AbortSignal): Promise<BoxMapping> {
  if (frame.parentId === undefined) return (box) => box;
  const owner = await frameElement(page, frame, signal);
  const origin = await page.scripts.call(owner.frame, contentOrigin, [owner], signal);
  page.scripts.release(owner);
  const outer = await boxMapping(page, owner.frame, signal);
  return (box) => outer(moved(box, origin));
}

function moved({ x, y, width, height }: Box, origin: { x: number; y: number; scale: number }): Box {
  const { scale } = origin;
  return {
    x: rounded(origin.x + x * scale),
    y: rounded(origin.y + y * scale),
    width: rounded(width * scale),
    height: rounded(height * scale),
  };
}

const rounded = (pixels: number) => Math.round(pixels * 100) / 100;
