import { mapSubschemas, type ReducedNode, type ReducedSchema, subschemasOf } from './reduce/reduced-schema.ts';

export const MAX_BYTES = 256 * 1024;
const MAX_DEPTH = 64;
export const MAX_NODES = 20_000;

/** Arguments above these sizes are not validated: that would take too long. */
const HUGE_NODES = 200_000;
const HUGE_CHARACTERS = 4_000_000;

/** Says in words why a schema is too big to be used; `undefined` when it is not. Ends early, also for values that contain themselves. */
export function excessOf(schema: unknown): string | undefined {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value: schema, depth: 1 }];
  let nodes = 0;
  let bytes = 0;
  for (let item = pending.pop(); item !== undefined; item = pending.pop()) {
    nodes += 1;
    bytes += ownBytes(item.value);
    if (nodes > MAX_NODES) return `more than ${MAX_NODES} values`;
    if (bytes > MAX_BYTES) return `more than ${MAX_BYTES} bytes`;
    if (typeof item.value !== 'object' || item.value === null) continue;
    if (item.depth > MAX_DEPTH) return `nested more than ${MAX_DEPTH} levels deep`;
    for (const value of Object.values(item.value)) pending.push({ value, depth: item.depth + 1 });
  }
  return undefined;
}

/** Bytes of a value in compact JSON, without the values inside it; each value counts the comma behind it. */
function ownBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + 3;
  if (typeof value !== 'object' || value === null) return String(value).length + 1;
  if (Array.isArray(value)) return 3;
  return Object.keys(value).reduce((sum, key) => sum + Buffer.byteLength(key) + 3, 3);
}

/**
 * Returns what `schema` would weigh if nothing in it were shared, which is how exponential schemas are recognised.
 * Recursion counts once.
 */
export function unfoldedWeight(
  schema: ReducedSchema,
  weigh: (node: ReducedNode) => number,
  known = new Map<ReducedNode, number>(),
): number {
  if (typeof schema === 'boolean') return 1;
  const counted = known.get(schema);
  if (counted !== undefined) return counted;
  const inner = subschemasOf(schema).reduce<number>((sum, part) => sum + unfoldedWeight(part, weigh, known), 0);
  const total = weigh(schema) + inner;
  known.set(schema, total);
  return total;
}

/** Returns the number of nodes that `schema` would have if nothing in it were shared. */
export function unfoldedNodes(schema: ReducedSchema): number {
  return unfoldedWeight(schema, () => 1);
}

/** Returns the number of characters of a node's JSON, without those of the schemas in it. */
export function ownCharacters(node: ReducedNode): number {
  return JSON.stringify(mapSubschemas(node, () => 0)).length;
}

export interface ArgumentsSize {
  readonly nodes: number;
  readonly characters: number;
}

/**
 * Counts values, and the characters of strings and of members' names. Looks at no more than `HUGE_NODES` values; `undefined`
 * when there are more, or too many characters.
 */
export function sizeOfArguments(args: unknown): ArgumentsSize | undefined {
  const pending: unknown[] = [args];
  let nodes = 0;
  let characters = 0;
  while (pending.length > 0) {
    const value = pending.pop();
    nodes += 1;
    if (typeof value === 'string') characters += value.length;
    if (nodes > HUGE_NODES || characters > HUGE_CHARACTERS) return undefined;
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value) && value.length > HUGE_NODES) return undefined;
    const isList = Array.isArray(value);
    for (const key of Object.keys(value)) {
      // Names are held against patterns too.
      if (!isList) characters += key.length;
      pending.push((value as Record<string, unknown>)[key]);
    }
  }
  return { nodes, characters };
}
