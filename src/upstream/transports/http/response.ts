import type { IncomingMessage } from 'node:http';
import type { RequestFailure } from '../transport.ts';

export const statusOf = (response: IncomingMessage): number => response.statusCode ?? 0;

/** Parameters such as `charset` do not count. */
export function hasType(response: IncomingMessage, type: string): boolean {
  const value = response.headers['content-type'] ?? '';
  return value.split(';')[0]!.trim().toLowerCase() === type;
}

/** Of these it is known that the request was not worked on: everything that is not the server's own failure, and "try later". */
const isUntouched = (status: number): boolean => status < 500 || status === 503;
const isCrowded = (status: number): boolean => status === 429 || status === 502 || status === 503 || status === 504;

/** What a response means that is no answer. */
export function failureOf(response: IncomingMessage): RequestFailure {
  const status = statusOf(response);
  if (status < 400) return noAnswer(response, status);
  const effect = isUntouched(status) ? 'none' : 'unknown';
  if (!isCrowded(status)) return { code: 'UPSTREAM_REFUSED', reason: wordsOf(status), effect, status };
  return { code: 'OVERLOADED', reason: wordsOf(status), effect, status, ...retryAfter(response) };
}

function noAnswer(response: IncomingMessage, status: number): RequestFailure {
  const type = response.headers['content-type'] ?? 'no type';
  const reason = `invalid answer: HTTP ${status} with ${JSON.stringify(type.slice(0, 60))} and no JSON-RPC response`;
  return { code: 'UPSTREAM_INVALID_ANSWER', reason, effect: 'unknown', status };
}

function wordsOf(status: number): string {
  if (status === 401) return 'it asks for authorization (HTTP 401), which "headers" of its entry must give';
  if (status === 403) return 'it refuses us (HTTP 403)';
  if (status === 407) return 'the proxy asks for a user and a password (HTTP 407): http://USER:PASSWORD@HOST:PORT';
  if (status === 404) return 'there is nothing at its url (HTTP 404)';
  return `it answered with HTTP ${status}`;
}

/** In seconds; dates are rare, and not looked at. */
function retryAfter({ headers }: IncomingMessage): { retryAfterMs?: number } {
  const seconds = /^[0-9]{1,6}$/.exec(headers['retry-after'] ?? '')?.[0];
  return seconds === undefined ? {} : { retryAfterMs: Number(seconds) * 1_000 };
}
