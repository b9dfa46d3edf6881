import { type Effect, GatewayError } from '../core/errors.ts';

/**
 * Makes the error of something that a browser could not do.
 * @param message says what failed, why, and what to do
 * @param effect `none` if the page is certainly as it was before
 */
export function browserFailed(message: string, cause?: unknown, effect: Effect = 'none'): GatewayError {
  return new GatewayError('BROWSER_FAILED', message, { effect, cause });
}
