import { type ByteString, toByteString } from './bytes.ts';
import { stringAt } from './lens.ts';

/**
 * A JSON-RPC id as its sender spelt it: the raw JSON token, quotes included. It is echoed byte for byte, so that a
 * string stays a string and 2^53-1 stays exact.
 */
export type IdToken = ByteString;

const INTEGER = /^-?(0|[1-9][0-9]*)$/;

/** Returns true if MCP allows the token as a request id: a string or an integer, not null (specification, "Requests"). */
export function isRequestId(token: IdToken): boolean {
  return token.startsWith('"') || INTEGER.test(token);
}

/** Tokens that mean the same id give the same key, however their strings are escaped. */
export function idKey(token: IdToken): string {
  if (!token.includes('\\')) return token;
  const text = Buffer.from(token, 'latin1');
  const value = stringAt(text, { start: 0, end: text.length });
  return value === undefined ? token : toByteString(JSON.stringify(value));
}

/** The number of an integer token that we gave out ourselves, or `undefined` for any other token. */
export function ownId(token: IdToken): number | undefined {
  if (token.length > 16) return undefined;
  const digits = token.startsWith('"') ? token.slice(1, -1) : token;
  return INTEGER.test(digits) ? Number(digits) : undefined;
}

/** A number as JSON spells it: servers with a single number type send `11` back as `11.0` or `1.1e1`. */
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;
const MAX_NUMBER_LENGTH = 24;

/**
 * Returns the integer of ours that an upstream's id token means, however the upstream spells that number: `11`, `"11"`,
 * `11.0` and `1.1e1` are 11. Returns `undefined` for every other token.
 */
export function echoedId(token: IdToken): number | undefined {
  if (token.length > MAX_NUMBER_LENGTH) return undefined;
  const digits = token.startsWith('"') ? token.slice(1, -1) : token;
  if (!NUMBER.test(digits)) return undefined;
  const value = Number(digits);
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? value : undefined;
}

/** A first id that a peer cannot guess, small enough that even a 32-bit reader can follow it for long. */
export function firstId(random: () => number = Math.random): number {
  return 1 + Math.floor(random() * 2 ** 30);
}
