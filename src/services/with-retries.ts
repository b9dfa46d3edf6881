import { askService, type ServiceAnswer, ServiceError, type ServiceRequest } from './ask-service.ts';
import type { Clock } from './clock.ts';

/** Pauses before the second attempt and those after it, in milliseconds. */
export const PAUSES_MS: readonly number[] = [1_000, 2_000, 4_000];
/** A service that wants more time than this is not waited for. */
const LONGEST_WAIT_MS = 60_000;

/** The head of an answer. */
interface Answer {
  readonly status: number;
  readonly headers: Headers;
}

export interface Retries<T extends Answer = ServiceAnswer> {
  /** One more attempt for each pause, in milliseconds. */
  readonly pausesMs: readonly number[];
  readonly clock: Clock;
  /** Returns true if an answer stays the same, however often it is asked for; by default, answers that are not 429 or 5xx do. */
  readonly isFinal?: (answer: T) => boolean;
}

/**
 * Asks a service, again after a pause where it cannot be reached, is overloaded (429) or has a fault of its own (5xx).
 * `Retry-After` is heeded up to a minute.
 * @returns the last answer
 * @throws ServiceError if the last attempt brought no answer; the reason of the request's signal when that is aborted
 */
export function askWithRetries(request: ServiceRequest, retries: Retries): Promise<ServiceAnswer> {
  return withRetries(() => askService(request), retries, request.signal);
}

/**
 * Does the same for any way to ask. `ask` must throw a ServiceError of the kind `network` only where it may be repeated.
 * @returns the last answer
 * @throws what the last attempt threw; the reason of `signal` when that is aborted
 */
export async function withRetries<T extends Answer>(
  ask: () => Promise<T>,
  retries: Retries<T>,
  signal: AbortSignal,
): Promise<T> {
  for (const pauseMs of retries.pausesMs) {
    const outcome = await attempt(ask, retries, pauseMs);
    if (typeof outcome !== 'number') return outcome;
    await retries.clock.wait(outcome, signal);
  }
  return ask();
}

/** Returns an answer to stay with, or how many milliseconds to wait before the next attempt. */
async function attempt<T extends Answer>(
  ask: () => Promise<T>,
  { isFinal }: Retries<T>,
  pauseMs: number,
): Promise<T | number> {
  try {
    const answer = await ask();
    if (!isTemporary(answer.status) || isFinal?.(answer) === true) return answer;
    const waitMs = Math.max(pauseMs, retryAfterMs(answer.headers) ?? 0);
    return waitMs > LONGEST_WAIT_MS ? answer : waitMs;
  } catch (error) {
    if (error instanceof ServiceError && error.fault === 'network') return pauseMs;
    throw error;
  }
}

function isTemporary(status: number): boolean {
  return status === 429 || status >= 500;
}

/** Milliseconds that a service wants to be left alone; `undefined` if it does not say, or says it in no known form. */
export function retryAfterMs(headers: Headers): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = text === '' ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
