import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Denial } from '../../../session/local/call-quota.ts';
import type { RefusalLog } from '../../../telemetry/refusal-log.ts';
import { toBuffer } from '../../../wire/bytes.ts';
import type { IdToken } from '../../../wire/ids.ts';
import { type ErrorBody, errorReply } from '../../../wire/reply.ts';
import { linger } from './linger.ts';

/** The response to a request that is not served. */
export interface Rejection {
  readonly status: number;
  readonly error: ErrorBody;
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of the rejected request, if the error may name it. */
  readonly id?: IdToken;
}

/** Turns a request away with a status and a JSON-RPC error. What is left of its body is read and dropped. */
export function reject(
  request: IncomingMessage,
  response: ServerResponse,
  { status, error, headers, id = 'null' }: Rejection,
  log: RefusalLog,
): void {
  log.note(status, error.message);
  const body = toBuffer(errorReply(error).withId(id));
  const unread = !request.complete && request.method !== 'GET';
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': body.length,
    ...(unread && { connection: 'close' }),
    ...headers,
  });
  if (!unread) {
    response.end(body);
    return;
  }
  // Node closes the connection with the end of the response: it waits until the client can have read the answer.
  response.write(body);
  linger(request, () => response.end());
}

function invalid(status: number, message: string, headers?: Rejection['headers']): Rejection {
  return { status, error: { code: -32600, message }, ...(headers && { headers }) };
}

function later(status: number, message: string, headers: Readonly<Record<string, string>>): Rejection {
  return { status, error: { code: -32603, message }, headers };
}

/**
 * The delay for limits that end as soon as another request, call or stream does. The time is unknown, and it may be at
 * once; a second keeps clients from retrying in a loop.
 */
const RETRY = { 'retry-after': '1' };

/** Parts of a millisecond do not count: a difference of two times is often a little more than it should be. */
const retryAfter = (waitMs: number) => ({ 'retry-after': String(Math.max(1, Math.ceil(Math.round(waitMs) / 1_000))) });

export const MISSING_SESSION = invalid(
  400,
  'Bad Request: the Mcp-Session-Id header is missing; send "initialize" first and repeat the id it answers with',
);
export const NO_SESSION_METHOD = invalid(
  400,
  'Bad Request: this method needs a session; send "initialize" first and repeat the Mcp-Session-Id it answers with',
);
export const NO_JSON = invalid(
  406,
  'Not Acceptable: without a session the answer is JSON; Accept must list application/json',
);
export const UNKNOWN_SESSION = invalid(
  404,
  'Not Found: this session does not exist any more; send "initialize" to begin a new one',
);
export const UNKNOWN_VERSION = invalid(400, 'Bad Request: unsupported MCP-Protocol-Version');
export const LOST_EVENTS = invalid(400, 'Bad Request: the events after this Last-Event-ID are not kept any more');
export const NO_BATCHES = invalid(400, 'Invalid request: batches are not part of this protocol version');
export const NO_RESPONSES = invalid(400, 'Invalid request: a request or a notification is expected');
export const NOT_JSON = invalid(415, 'Unsupported Media Type: Content-Type must be application/json');
export const NO_ANSWER_TYPE = invalid(406, 'Not Acceptable: Accept must list application/json or text/event-stream');
export const NO_EVENTS = invalid(
  406,
  'Not Acceptable: this is answered with an event stream; Accept must list text/event-stream',
);

export const forbidden = (status: number, reason: string): Rejection => invalid(status, `Forbidden: ${reason}`);
export const unknownPath = (known: string): Rejection => invalid(404, `Not found: the MCP endpoint is ${known}`);
export const wrongMethod = (allow: string): Rejection => invalid(405, 'Method not allowed', { allow });
export const tooLarge = (bytes: number): Rejection =>
  invalid(413, `Content Too Large: a message may have ${bytes} bytes`);

/** Returns the rejection of a client that must authenticate; `challenge` says how (RFC 6750, section 3). */
export const unauthorized = (reason: string, challenge: Readonly<Record<string, string>>): Rejection =>
  invalid(401, `Unauthorized: ${reason}`, { 'www-authenticate': bearerChallenge(challenge) });

export const REVOKED = unauthorized('the bearer token is not valid any more', { error: 'invalid_token' });

/** Returns the rejection of a client that has authenticated but may not do this. */
export const insufficientScope = (
  needed: readonly string[],
  challenge: Readonly<Record<string, string>>,
): Rejection => {
  const parameters = { error: 'insufficient_scope', scope: needed.join(' '), ...challenge };
  return invalid(403, `Forbidden: the token needs the scopes ${needed.join(' ')}`, {
    'www-authenticate': bearerChallenge(parameters),
  });
};

export const tooManyRequests = (reason: string, waitMs: number): Rejection =>
  later(429, `Too Many Requests: ${reason}`, retryAfter(waitMs));

/** Returns the rejection of a token that cannot be checked for `waitMs` milliseconds. */
export const keysUnavailable = (waitMs: number): Rejection =>
  later(503, 'The token cannot be checked now; try again later', retryAfter(waitMs));

function bearerChallenge(parameters: Readonly<Record<string, string>>): string {
  const written = Object.entries(parameters).map(([name, value]) => `${name}="${value.replaceAll(/["\\]/g, '')}"`);
  return written.length === 0 ? 'Bearer' : `Bearer ${written.join(', ')}`;
}

export const TOO_MANY_SESSIONS = later(503, 'Too many sessions, and none of them is idle; try again later', RETRY);
export const TOO_MANY_STREAMS = later(
  429,
  'Too Many Requests: this client has too many open event streams; close some of them',
  RETRY,
);
export const TOO_MANY_BODIES = later(503, 'Too much is being received; try again later', RETRY);
export const DRAINING = later(503, 'The gateway is stopping', { connection: 'close' });

/** The responses to HTTP clients whose call may not begin. */
export const DENIALS: Readonly<Record<Denial, Rejection>> = {
  stopping: DRAINING,
  'gateway-full': later(503, 'Too many calls are open in the gateway (limits.calls); try again later', RETRY),
  'client-full': later(429, 'Too many calls of this session are open (limits.callsPerClient); try again later', RETRY),
};
