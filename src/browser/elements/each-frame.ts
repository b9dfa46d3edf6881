import { CdpError } from '../cdp/cdp-error.ts';
import { browserFailed } from '../failure.ts';
import { type Frame, isStale } from '../page/frames.ts';
import type { Page } from '../page/page.ts';
import { quotedText } from '../page/page-text.ts';

/**
 * Looks for a selector in the frames of a page, the main document first, until `isEnough`. A frame that goes away meanwhile counts
 * as one without matches.
 * @throws GatewayError that quotes the selector if it is invalid
 */
export async function eachFrame(
  page: Page,
  selector: string,
  look: (frame: Frame) => Promise<unknown>,
  isEnough: () => boolean,
): Promise<void> {
  for (const frame of page.frames.list()) {
    if (isEnough()) return;
    await lookIn(page, frame, selector, look);
  }
}

async function lookIn(
  page: Page,
  frame: Frame,
  selector: string,
  look: (frame: Frame) => Promise<unknown>,
): Promise<void> {
  try {
    await look(frame);
  } catch (error) {
    if (isInvalid(error)) throw browserFailed(`${quotedText(selector)} is not a valid CSS selector`, error);
    if (!hasGone(error) || page.session.ended.aborted) throw error;
  }
}

const isInvalid = (error: unknown) =>
  error instanceof Error && error.message.startsWith("SyntaxError: Failed to execute 'querySelector");
const hasGone = (error: unknown) => error instanceof CdpError && (error.isGone || isStale(error));
