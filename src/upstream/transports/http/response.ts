import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { cutText } from '../../../core/text/clean-text.ts';
import type { RequestFailure } from '../transport.ts';

/** Head and body of a response; the body is decompressed. */
export type HttpResponse = Readable & Pick<IncomingMessage, 'headers' | 'statusCode'>;

export const statusOf = (response: HttpResponse): number => response.statusCode ?? 0;

/** Parameters such as `charset` do not count. */
export function hasType(response: HttpResponse, type: string): boolean {
  const value = response.headers['content-type'] ?? '';
  return value.split(';')[0]!.trim().toLowerCase() === type;
}

/** A server that names a date may mean next year. */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1_000;

/**
 * Returns true if a response with this status means that the request was not processed: anything but a server error, or
 * "try later" (503).
 */
const isUntouched = (status: number): boolean => status < 500 || status === 503;
const isCrowded = (status: number): boolean => status === 429 || status === 502 || status === 503 || status === 504;

/** Returns the failure that a response without a JSON-RPC message stands for. */
export function failureOf(response: HttpResponse): RequestFailure {
  const status = statusOf(response);
  if (status === 303) return { code: 'UPSTREAM_REFUSED', reason: wordsOf(status), effect: 'unknown', status };
  if (status < 400) return noAnswer(response, status);
  const effect = isUntouched(status) ? 'none' : 'unknown';
  if (!isCrowded(status)) return { code: 'UPSTREAM_REFUSED', reason: wordsOf(status), effect, status };
  return { code: 'OVERLOADED', reason: wordsOf(status), effect, status, ...retryAfter(response) };
}

function noAnswer(response: HttpResponse, status: number): RequestFailure {
  const type = response.headers['content-type'] ?? 'no type';
  const reason = `invalid answer: HTTP ${status} with ${JSON.stringify(cutText(type, 60))} and no JSON-RPC response`;
  return { code: 'UPSTREAM_INVALID_ANSWER', reason, effect: 'unknown', status };
}

function wordsOf(status: number): string {
  if (status === 401) return 'it asks for authorization (HTTP 401), which "headers" of its entry must give';
  if (status === 303) return 'it redirects a POST to something to GET (HTTP 303), which is not followed';
  if (status === 403) return 'it refuses us (HTTP 403)';
  if (status === 407) return 'the proxy asks for a user and a password (HTTP 407): http://USER:PASSWORD@HOST:PORT';
  if (status === 404) return 'there is nothing at its url (HTTP 404)';
  return `it answered with HTTP ${status}`;
}

/** Returns when the server wants the next request, if it says so (RFC 9110, section 10.2.3). */
export function retryAfter({ headers }: HttpResponse): { retryAfterMs?: number } {
  const value = headers['retry-after'] ?? '';
  const ms = /^[0-9]{1,6}$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? {} : { retryAfterMs: Math.min(Math.max(0, ms), MAX_RETRY_AFTER_MS) };
}
