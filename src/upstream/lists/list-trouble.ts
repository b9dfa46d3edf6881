import { GatewayError } from '../../core/errors.ts';
import type { ListStates } from './list-order.ts';
import { remarkOnAbsence, summarize } from './list-summary.ts';

/** The problems with the lists of an upstream. */
export interface ListTrouble {
  /** Says which lists are missing or out of date, and why; absent if all is well. */
  readonly reason?: string;
  /** The time at which one of them is asked for again, in milliseconds since the epoch. */
  readonly retryAt?: number;
  /** The same list by list, and what was wrong with lists that were read. */
  readonly errors: readonly string[];
}

/**
 * Returns the problems with these lists.
 * @param remarks what was wrong with lists that were read
 * @param waitingHint says what to do where an answer is overdue; may be empty
 */
export function troubleWith(states: ListStates, remarks: readonly string[], waitingHint: string): ListTrouble {
  const { problems, isSilent, dueAt } = summarize(states);
  const errors = [...problems, ...remarkOnAbsence(states), ...remarks];
  if (problems.length === 0) return { errors };
  const hint = isSilent ? waitingHint : '';
  return {
    reason: hint === '' ? problems.join('; ') : `${problems.join('; ')}. ${hint}`,
    ...(dueAt !== undefined && { retryAt: Date.now() + Math.max(0, dueAt - performance.now()) }),
    errors,
  };
}

/** Adds what to do where an answer did not come in time. */
export function withWaitingHint(error: GatewayError, waitingHint: string): GatewayError {
  if (error.code !== 'UPSTREAM_TIMEOUT' || waitingHint === '') return error;
  return new GatewayError(error.code, `${error.message}. ${waitingHint}`, error.detail);
}
