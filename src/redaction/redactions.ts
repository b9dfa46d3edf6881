import { isObject } from '../core/json/as-object.ts';

/** The text that replaces a secret. */
const MARK = /\[redacted:([a-z0-9-]{1,40})\]/g;
export const MARK_BEGINS = '[redacted:';
/** The number of places that are listed. */
const MAX_LISTED = 200;

/** The places in a value where secrets were taken out, with their kinds: `{ path: 'todos[t1].text', kind: 'github-token' }`. */
export interface Redaction {
  readonly path: string;
  readonly kind: string;
}

export function redactionMark(kind: string): string {
  return `${MARK_BEGINS}${kind}]`;
}

export function hasRedaction(text: string): boolean {
  return text.includes(MARK_BEGINS);
}

/** Returns all marks in the value's texts, each place and kind once. */
export function redactionsIn(value: unknown): readonly Redaction[] {
  const places = new Map<string, Redaction>();
  eachText(value, '', (text, path) => {
    if (!hasRedaction(text)) return;
    for (const [, kind = ''] of text.matchAll(MARK)) {
      if (places.size < MAX_LISTED) places.set(`${path} ${kind}`, { path, kind });
    }
  });
  return [...places.values()];
}

/** Returns the path of a member: items with an id are named by it, so that the path still holds when others come or go. */
export function memberPath(path: string, key: string | number, member: unknown): string {
  if (typeof key === 'number') return `${path}[${isObject(member) && typeof member.id === 'string' ? member.id : key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function eachText(value: unknown, path: string, visit: (text: string, path: string) => void): void {
  if (typeof value === 'string') visit(value, path);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) eachText(item, memberPath(path, index, item), visit);
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) eachText(member, memberPath(path, key, member), visit);
  }
}
