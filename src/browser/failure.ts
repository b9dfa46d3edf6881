import { type Effect, GatewayError } from '../core/errors.ts';
import { quotedText } from './page/page-text.ts';

/**
 * Makes the error of something that a browser could not do.
 * @param message says what failed, why, and what to do
 * @param effect `none` if the page is certainly as it was before
 */
export function browserFailed(message: string, cause?: unknown, effect: Effect = 'none'): GatewayError {
  return new GatewayError('BROWSER_FAILED', message, { effect, cause });
}

/** Returns whether an error is the reason of a signal whose time is over. */
export function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError';
}

/**
 * Makes the error of an address that a browser may not open.
 * @param why a clause that completes "… may not be opened:"
 */
export function addressDenied(url: string, why: string): GatewayError {
  return new GatewayError('ADDRESS_DENIED', `${quotedText(url)} may not be opened: ${why}`);
}
