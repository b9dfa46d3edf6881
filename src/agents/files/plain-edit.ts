import type { JsonPath } from './json-document.ts';

type Key = string | number;
type Container = Record<Key, unknown>;

/**
 * Returns a plain value with another value at a path. Missing members on the way become objects. The value itself is
 * not changed.
 */
export function pathSet(root: unknown, path: JsonPath, value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  return withOwn(copied(root), key, pathSet(ownOf(root, key), rest, value));
}

/** Returns a plain value without what is at a path. */
export function pathRemoved(root: unknown, path: JsonPath): unknown {
  const [key, ...rest] = path as readonly [Key, ...Key[]];
  if (ownOf(root, key) === undefined) return root;
  if (rest.length > 0) return pathSet(root, [key], pathRemoved(ownOf(root, key), rest));
  if (Array.isArray(root)) return root.toSpliced(key as number, 1);
  return Object.fromEntries(Object.entries(root as Container).filter(([name]) => name !== key));
}

/** Returns a plain value without the objects and arrays on a path that are empty, the inner ones first. */
export function withoutEmptyAt(root: unknown, path: JsonPath): unknown {
  let result = root;
  for (let length = path.length; length > 0; length--) {
    const here = path.slice(0, length);
    const value = here.reduce<unknown>(ownOf, result);
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    if (isEmpty) result = pathRemoved(result, here);
  }
  return result;
}

function ownOf(value: unknown, key: Key): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Container)[key]
    : undefined;
}

function copied(value: unknown): object {
  if (Array.isArray(value)) return [...(value as unknown[])];
  return typeof value === 'object' ? { ...value } : {};
}

/** Defined rather than assigned: a member may be called `__proto__`. */
function withOwn(container: object, key: Key, value: unknown): object {
  return Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
}
