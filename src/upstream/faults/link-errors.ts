import { type ErrorCode, GatewayError } from '../../core/errors.ts';
import { mebibytes } from '../../core/text/mebibytes.ts';
import type { LostLine } from '../../wire/lines/frame-receiver.ts';
import type { RequestFailure } from '../transports/transport.ts';

/** The way in which a connection ended. */
export interface LinkEnd {
  /** Completes the sentence "<upstream>: …". */
  readonly reason: string;
  /** The time until there will be another connection, in milliseconds; absent if none will be made automatically. */
  readonly retryAfterMs?: number;
  /** The error code with which open requests fail; `UPSTREAM_EXITED` if absent. */
  readonly code?: ErrorCode;
}

/** Makes the errors with which requests to one upstream fail. */
export class LinkErrors {
  readonly #upstream: string;

  constructor(upstream: string) {
    this.#upstream = upstream;
  }

  /** Returns the error for a connection that has ended. `effect` says whether the request was sent. */
  gone({ reason, retryAfterMs, code = 'UPSTREAM_EXITED' }: LinkEnd, effect: 'none' | 'unknown'): GatewayError {
    return this.#error(code, reason, { effect, ...(retryAfterMs !== undefined && { retryAfterMs }) });
  }

  /** Returns the error for a failure that the transport has reported. */
  failed({ code, reason, isUnheard: _isUnheard, ...detail }: RequestFailure): GatewayError {
    return this.#error(code, reason, detail);
  }

  /** `after` is the limit that has passed. */
  timedOut(after: string): GatewayError {
    return this.#error('UPSTREAM_TIMEOUT', `no answer within ${after}`, { effect: 'unknown' });
  }

  invalidAnswer(reason: string): GatewayError {
    return this.#error('UPSTREAM_INVALID_ANSWER', `invalid answer: ${reason}`, { effect: 'unknown' });
  }

  /** Returns the error for a response that is not a valid message. */
  lostAnswer({ reason, problem, bytes }: LostLine): GatewayError {
    if (reason === 'not-json') {
      const where = problem === undefined ? '' : ` (${problem})`;
      return this.#error('UPSTREAM_INVALID_ANSWER', `the answer is not valid JSON${where}`, { effect: 'unknown' });
    }
    const hint = 'Ask for less, or raise limits.frameBytes in the config';
    return this.#error('ANSWER_TOO_LARGE', `the answer is too large (${mebibytes(bytes)}). ${hint}`, {
      effect: 'unknown',
    });
  }

  #error(code: ErrorCode, text: string, detail: Omit<GatewayError['detail'], 'upstream'>): GatewayError {
    return new GatewayError(code, `${this.#upstream}: ${text}`, { upstream: this.#upstream, ...detail });
  }
}
