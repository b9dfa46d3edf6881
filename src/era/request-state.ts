import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../core/json/canonical.ts';
import type { CallText } from '../wire/edits/call-text.ts';
import { valueAt } from '../wire/lens.ts';
import type { Span } from '../wire/scanning/outline.ts';

/** What a `requestState` stands for. */
export interface StateFacts {
  /** The parked call, and which of its questions the state belongs to. */
  readonly callId: string;
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Of whose call it is and what is called: `digestOf`. */
  readonly digest: string;
}

const PREFIX = 'viaduct';
const KEY_BYTES = 32;
const INSTANCE_BYTES = 6;

/**
 * Makes and reads the `requestState` of our own questions: opaque to clients, and no state that another gateway, or
 * anybody else, has made is taken for one (2026-07-28, "Multi Round-Trip Requests", "Server Requirements").
 */
export class StateSeal {
  readonly #key = randomBytes(KEY_BYTES);
  readonly #instance = randomBytes(INSTANCE_BYTES).toString('hex');

  seal({ callId, nonce, expiresAt, digest }: StateFacts): string {
    const body = [PREFIX, this.#instance, callId, nonce, expiresAt.toString(36), digest].join('.');
    return `${body}.${this.#mac(body)}`;
  }

  /** Whether a state looks like one that this gateway has made, whatever else is wrong with it. */
  isOwn(state: string): boolean {
    return state.startsWith(`${PREFIX}.${this.#instance}.`);
  }

  /** What a state says; `undefined` where it was changed, or never made here. */
  open(state: string): StateFacts | undefined {
    const end = state.lastIndexOf('.');
    if (!this.isOwn(state) || !isEqual(state.slice(end + 1), this.#mac(state.slice(0, end)))) return undefined;
    const [, , callId, nonce, expiresAt, digest] = state.split('.') as [string, string, string, string, string, string];
    return { callId, nonce, expiresAt: Number.parseInt(expiresAt, 36), digest };
  }

  #mac(body: string): string {
    return createHmac('sha256', this.#key).update(body).digest('base64url');
  }
}

/** Equal for calls of one client that ask the same, whatever the order of keys in their arguments. */
export function digestOf(identity: string, { message, target, arguments: span }: CallText): string {
  const given = span === undefined ? '' : canonicalText(message.frame.text, span);
  return createHash('sha256')
    .update(JSON.stringify([identity, message.method, target, given]))
    .digest('base64url')
    .slice(0, 22);
}

function canonicalText(text: Buffer, span: Span): string {
  return canonicalJson(valueAt(text, span));
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
