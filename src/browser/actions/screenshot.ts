import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import { boxMapping } from '../elements/frame-offset.ts';
import { withElement } from '../elements/with-element.ts';
import { browserFailed } from '../failure.ts';
import { boxInView } from '../injected/box-in-view.ts';
import type { Box } from '../injected/describe-elements.ts';
import type { Page } from '../page/page.ts';
import { quotedText } from '../page/page-text.ts';
import { usePage } from '../page/use-page.ts';
import { imageSize } from './image-size.ts';

export interface ScreenshotOptions {
  readonly format: 'png' | 'jpeg';
  /** The whole page instead of what the window shows. */
  readonly fullPage?: boolean;
  /** One element: a CSS selector, or the id of an element in a snapshot. */
  readonly target?: string;
}

export interface Screenshot {
  /** Base64. */
  readonly data: string;
  readonly format: 'png' | 'jpeg';
  /** Pixels of the image. */
  readonly width: number;
  readonly height: number;
  /** True if the page or element is larger than the largest picture. */
  readonly isCut?: boolean;
}

const JPEG_QUALITY = 80;
/** CSS pixels: a larger picture is cut. */
const MAX_SIDE = 16_000;
const MAX_AREA = 64_000_000;

/**
 * Takes a picture of what the window shows, of the whole page, or of one element, which is scrolled into view.
 * @throws GatewayError if there is no such element or it is not displayed; the reason of `signal`
 */
export async function screenshot(page: Page, options: ScreenshotOptions, signal: AbortSignal): Promise<Screenshot> {
  return usePage(page, async () => {
    const { target, fullPage = false } = options;
    if (target !== undefined) return capture(page, options, signal, await boxOf(page, target, signal));
    return capture(page, options, signal, fullPage ? await wholePage(page, signal) : undefined);
  });
}

async function capture(
  { session }: Page,
  { format }: ScreenshotOptions,
  signal: AbortSignal,
  whole: Box | undefined,
): Promise<Screenshot> {
  const box = whole && withinLimits(whole);
  const params: Protocol.Page.CaptureScreenshotRequest = {
    format,
    ...(format === 'jpeg' ? { quality: JPEG_QUALITY } : {}),
    ...(box === undefined ? {} : { clip: { ...box, scale: 1 }, captureBeyondViewport: true }),
  };
  const { data } = await session.send('Page.captureScreenshot', params, signal);
  const size = imageSize(Buffer.from(data, 'base64'));
  const isCut = box !== undefined && (box.width < whole!.width || box.height < whole!.height);
  return { data, format, ...size, ...(isCut ? { isCut } : {}) };
}

function withinLimits({ x, y, ...size }: Box): Box {
  const width = Math.min(size.width, MAX_SIDE);
  const height = Math.min(size.height, MAX_SIDE, Math.floor(MAX_AREA / width));
  return { x, y, width, height };
}

async function wholePage({ session }: Page, signal: AbortSignal): Promise<Box> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics', undefined, signal);
  return cssContentSize;
}

/** Returns the place of an element in the document of the page. */
async function boxOf(page: Page, target: string, signal: AbortSignal): Promise<Box> {
  return withElement(page, target, signal, async (element) => {
    const box = await page.scripts.call(element.frame, boxInView, [element], signal);
    if (box === null) throw browserFailed(`${quotedText(target)} is not displayed, so there is no picture of it`);
    const mapping = await boxMapping(page, element.frame, signal);
    const { cssVisualViewport } = await page.session.send('Page.getLayoutMetrics', undefined, signal);
    const { x, y, width, height } = mapping(box);
    return { x: x + cssVisualViewport.pageX, y: y + cssVisualViewport.pageY, width, height };
  });
}
