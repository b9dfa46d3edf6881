import type { Dialect } from './dialect.ts';
import { isObject } from './reduce/reduced-schema.ts';

const ARRAY_INDEX = /^(?:0|[1-9]\d*)$/;

/**
 * Returns the schema that `#` or `#/a/b` points to; `undefined` for everything else. Other documents are never fetched,
 * and validators disagree on pointers into a part with a URI of its own.
 */
export function resolveLocalRef(root: unknown, ref: string, dialect: Dialect): unknown {
  const steps = stepsOf(ref);
  if (steps === undefined) return undefined;
  let current = root;
  for (const step of steps) {
    if (current !== root && isObject(current) && dialect.ownUri(current) !== undefined) return undefined;
    current = stepInto(current, step);
    if (current === undefined) return undefined;
  }
  return current;
}

function stepsOf(ref: string): readonly string[] | undefined {
  if (ref === '#') return [];
  if (!ref.startsWith('#/')) return undefined;
  try {
    const pointer = decodeURIComponent(ref.slice(2));
    return pointer.split('/').map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return undefined; // a stray "%"
  }
}

function stepInto(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return ARRAY_INDEX.test(step) ? value[Number(step)] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}
