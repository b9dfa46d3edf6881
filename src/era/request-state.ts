import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../core/json/canonical.ts';
import type { CallText } from '../wire/edits/call-text.ts';
import { valueAt } from '../wire/lens.ts';
import type { Span } from '../wire/scanning/outline.ts';

/** The facts that a `requestState` stands for. */
export interface StateFacts {
  /** The parked call, and which of its questions the state belongs to. */
  readonly callId: string;
  readonly nonce: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Digest of the client's identity and of what it calls: `digestOf`. */
  readonly digest: string;
}

/** The secrets of one gateway, generated at random. */
export interface StateKeys {
  /** Key of the message authentication code. */
  readonly key: Buffer;
  /** Tells the states of this gateway from those of others; hexadecimal digits, visible to clients. */
  readonly instance: string;
}

const PREFIX = 'viaduct';

/**
 * Makes and reads the `requestState` of our own questions: opaque to clients, and no state that another gateway, or
 * anyone else, has made is taken for one (2026-07-28, "Multi Round-Trip Requests", "Server Requirements").
 */
export class StateSeal {
  readonly #key: Buffer;
  readonly #instance: string;

  constructor({ key, instance }: StateKeys) {
    this.#key = key;
    this.#instance = instance;
  }

  /** Returns the state that stands for these facts. */
  seal({ callId, nonce, expiresAt, digest }: StateFacts): string {
    const body = [PREFIX, this.#instance, callId, nonce, expiresAt.toString(36), digest].join('.');
    return `${body}.${this.#mac(body)}`;
  }

  /** Returns whether a state looks like one that this gateway has made, even if it is invalid. */
  isOwn(state: string): boolean {
    return state.startsWith(`${PREFIX}.${this.#instance}.`);
  }

  /** Returns the facts of a state; `undefined` if it was changed, or never made here. */
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

/**
 * Returns a digest that is equal for calls of one client that ask the same, regardless of the order of keys in their
 * arguments.
 */
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
