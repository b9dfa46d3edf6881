import { GatewayError } from '../../../core/errors.ts';
import { isObject } from '../../../core/json/as-object.ts';
import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';

const MAX_DEPTH = 64;

/** Returns the value if it is an object, else an empty one. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function invalid(field: string, problem: string): GatewayError {
  return new GatewayError('INVALID_PARAMS', `${field}: ${problem}`, { effect: 'none' });
}

/**
 * Returns a copy that is plain JSON: no member that is `undefined`, and none called `__proto__`, which some reader would take
 * for the object's prototype.
 * @throws GatewayError if it is nested too deeply.
 */
export function plainJson(value: unknown, field: string, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) throw invalid(field, `nested more than ${MAX_DEPTH} levels deep`);
  if (Array.isArray(value)) return value.map((item, index) => plainJson(item ?? null, `${field}[${index}]`, depth + 1));
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    if (key !== '__proto__' && member !== undefined) copy[key] = plainJson(member, `${field}.${key}`, depth + 1);
  }
  return copy;
}

/** Returns the object without the named members. */
export function without(value: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !names.has(key)));
}
