import type { Frame } from '../../../../wire/frame.ts';
import { echoedId } from '../../../../wire/ids.ts';
import { type ResponseMessage, readBatch, readMessage } from '../../../../wire/message.ts';
import type { RequestFailure } from '../../transport.ts';
import type { Body } from '../body.ts';
import { failureOf, type HttpResponse, statusOf } from '../response.ts';

const TOO_LARGE: RequestFailure = {
  code: 'ANSWER_TOO_LARGE',
  reason: 'the answer is too large. Ask for less, or raise limits.frameBytes in the config',
  effect: 'unknown',
};

/** Returns the answer to a request in a message, or in a batch of messages. */
export function answerIn(frame: Frame, id: number): ResponseMessage | undefined {
  for (const message of readBatch(frame) ?? [readMessage(frame)]) {
    if (message.kind === 'response' && echoedId(message.id) === id) return message;
  }
  return undefined;
}

/**
 * Returns true if a response in a session may mean that the session is gone. The status for that is 404 (2025-11-25,
 * "Session Management"); some servers send 400. But either may also be about the request alone.
 */
export function mayBeExpired(response: HttpResponse, body: Body, id: number): boolean {
  const status = statusOf(response);
  if (status !== 400) return status === 404;
  return body.kind !== 'frame' || answerIn(body.frame, id) === undefined;
}

/** Returns the failure that a body without JSON stands for. */
export function failureOfBody(response: HttpResponse, body: Exclude<Body, { readonly kind: 'frame' }>): RequestFailure {
  if (body.kind === 'broken') return { code: 'UPSTREAM_EXITED', reason: 'the answer broke off', effect: 'unknown' };
  return body.kind === 'lost' && body.line.reason === 'too-large' ? TOO_LARGE : failureOf(response);
}
