import { type Effect, type ErrorCode, GatewayError } from '../../core/errors.ts';
import { cutText } from '../../core/text/clean-text.ts';

/** The most characters of an error's text: words of the server or of the client may be in it. */
const MAX_WORDS = 1_000;

/** Failures of a call whose upstream is not there. */
const IS_AWAY: ReadonlySet<ErrorCode> = new Set(['UPSTREAM_EXITED', 'UPSTREAM_NOT_CONNECTED', 'UPSTREAM_CRASH_LOOP']);

/** Failures that are made of an answer. */
const ANSWERED: ReadonlySet<ErrorCode> = new Set(['UPSTREAM_INVALID_ANSWER', 'ANSWER_TOO_LARGE']);

/** Returns the error that ends a call to this upstream; a long text is cut. */
export function callError(upstream: string, code: ErrorCode, text: string, effect: Effect): GatewayError {
  return new GatewayError(code, `${upstream}: ${cutWords(text)}`, { upstream, effect });
}

/** Cuts a text in which words of a peer stand. */
export function cutWords(text: string): string {
  return cutText(text, MAX_WORDS);
}

/** Returns whether a call that failed like this is over for the upstream, too: it has answered, or never had the call. */
export function isOverAtUpstream({ code, detail }: GatewayError): boolean {
  return detail.effect === 'none' || ANSWERED.has(code);
}

/** Adds an upstream's last words on standard error where it is away: why a process ended often stands nowhere else. */
export function withLastWords(error: GatewayError, lastWords: () => string): GatewayError {
  if (!IS_AWAY.has(error.code)) return error;
  const words = lastWords();
  return words === '' ? error : new GatewayError(error.code, `${error.message}. ${words}`, error.detail);
}
