import { createHash } from 'node:crypto';

/** A container whose text is under way, and how far it is. */
interface OpenContainer {
  readonly value: object;
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
  isFirst: boolean;
}

/**
 * JSON text that is the same for equal values, regardless of the order of their keys. Values without a JSON form are
 * treated as `JSON.stringify` does. Any depth: it keeps its own stack.
 * @throws TypeError when the value contains itself.
 */
export function canonicalJson(value: unknown): string {
  const pieces: string[] = [];
  const open: OpenContainer[] = [];
  const ancestors = new Set<object>();
  writeValue(value, pieces, open, ancestors);
  for (let container = open.at(-1); container !== undefined; container = open.at(-1)) {
    if (container.next < container.length) writeNext(container, pieces, open, ancestors);
    else closeLast(pieces, open, ancestors);
  }
  return pieces.join('');
}

/** SHA-256 of the canonical JSON, as 64 hex digits. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

function writeValue(value: unknown, pieces: string[], open: OpenContainer[], ancestors: Set<object>): void {
  if (typeof value !== 'object' || value === null) {
    pieces.push(primitiveText(value));
    return;
  }
  if (ancestors.has(value)) throw new TypeError('A value that contains itself has no JSON text');
  ancestors.add(value);
  const keys = Array.isArray(value) ? undefined : presentKeys(value);
  const length = keys?.length ?? (value as readonly unknown[]).length;
  pieces.push(keys === undefined ? '[' : '{');
  open.push({ value, keys, length, next: 0, isFirst: true });
}

function writeNext(container: OpenContainer, pieces: string[], open: OpenContainer[], ancestors: Set<object>): void {
  const key = container.keys === undefined ? container.next : container.keys[container.next]!;
  container.next += 1;
  if (!container.isFirst) pieces.push(',');
  container.isFirst = false;
  if (typeof key === 'string') pieces.push(JSON.stringify(key), ':');
  writeValue((container.value as Record<string | number, unknown>)[key], pieces, open, ancestors);
}

function closeLast(pieces: string[], open: OpenContainer[], ancestors: Set<object>): void {
  const closed = open.pop()!;
  ancestors.delete(closed.value);
  pieces.push(closed.keys === undefined ? ']' : '}');
}

function presentKeys(value: object): readonly string[] {
  const members = value as Record<string, unknown>;
  return Object.keys(value)
    .filter((key) => hasJsonForm(members[key]))
    .sort();
}

function hasJsonForm(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function primitiveText(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  return hasJsonForm(value) ? JSON.stringify(value) : 'null';
}
