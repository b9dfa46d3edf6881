import { z } from 'zod';
import { GatewayError } from '../../../core/errors.ts';
import { at, serviceWords } from '../../../services/service-words.ts';
import type { IncomingMessage } from '../bridge/messages.ts';

/** Recognises and reads the backend's answer to a question. */
export interface Answer<T> {
  /** Type of the question. */
  readonly asked: string;
  /** Types of the messages that answer it. */
  readonly types: readonly string[];
  /** Returns whether a message of the type belongs to this question: it is of the same session or build. */
  readonly concerns: (message: IncomingMessage) => boolean;
  /** Shape of the message's data. */
  readonly data: z.ZodType<T>;
}

/** Returns whether a message answers a question, or says that the question cannot be answered. */
export function answers<T>({ asked, types, concerns }: Answer<T>, message: IncomingMessage): boolean {
  if (message.type === 'error') return at(message.data, 'request') === asked && concerns(message);
  return types.includes(message.type) && concerns(message);
}

/**
 * Returns the data of an answer.
 * @throws GatewayError `IDE_FAILED` when the backend refuses, or its data have another shape
 */
export function readAnswer<T>({ asked, data }: Answer<T>, message: IncomingMessage): T {
  if (message.type === 'error') {
    const words = serviceWords(JSON.stringify(message.data ?? null), undefined);
    throw new GatewayError('IDE_FAILED', `The IDE backend refuses ${asked}: ${words}`);
  }
  const parsed = data.safeParse(message.data);
  if (parsed.success) return parsed.data;
  const faults = serviceWords(z.prettifyError(parsed.error), undefined);
  throw new GatewayError('IDE_FAILED', `The IDE backend answers ${asked} with a malformed ${message.type}: ${faults}`);
}

/** Go writes `null` for an empty list. */
export function listOf<T extends z.ZodType>(item: T) {
  return z
    .array(item)
    .nullable()
    .transform((items) => items ?? []);
}

/** A time of the backend; `undefined` for Go's zero time and other texts that are no time. */
export const backendTime = z
  .string()
  .optional()
  .transform((text) => (text === undefined || text.startsWith('0001-01-01') ? undefined : text))
  .refine((text) => text === undefined || !Number.isNaN(Date.parse(text)), { error: 'must be a time (RFC 3339)' });
