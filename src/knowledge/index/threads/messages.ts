import { type ErrorCode, GatewayError, type GatewayErrorDetail } from '../../../core/errors.ts';

/** Messages between threads: calls with answers, and events. All of them can be cloned. */
export type ToWorker =
  | { readonly kind: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  /** The caller has gone. */
  | { readonly kind: 'cancel'; readonly id: number };

export type FromWorker =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly error: SentError }
  /** While a call is under way. */
  | { readonly kind: 'progress'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'event'; readonly value: unknown };

export interface SentError {
  readonly code: ErrorCode | undefined;
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly effect: GatewayErrorDetail['effect'];
}

/** Classes and causes do not travel between threads. */
export function toSent(thrown: unknown): SentError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const isOurs = error instanceof GatewayError;
  const { name, message, stack } = error;
  return {
    code: isOurs ? error.code : undefined,
    name,
    message,
    stack,
    effect: isOurs ? error.detail.effect : undefined,
  };
}

export function fromSent({ code, name, message, stack, effect }: SentError): Error {
  const error =
    code === undefined
      ? Object.assign(new Error(message), { name })
      : new GatewayError(code, message, effect === undefined ? {} : { effect });
  // The place where it happened says more than the place where it arrived.
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** Services for a method of a worker, besides its arguments. */
export interface CallContext {
  readonly signal: AbortSignal;
  readonly progress: (value: unknown) => void;
}

export type Method = (context: CallContext, ...args: readonly never[]) => Promise<unknown>;
