import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { objectOf } from './json.ts';

/** The lists whose items the gateway gives ids, and the letter that these begin with. */
const LETTERS = { decisions: 'd', todos: 't' } as const;
export type CountedList = keyof typeof LETTERS;

const LISTS = Object.keys(LETTERS) as readonly CountedList[];
/** `d1` is ours, `d_1` ide-bridge's. Longer numbers come from others and are not counted. */
const NUMBERED = /^([a-z])_?(\d{1,12})$/;

/** Returns the id of the next item: higher than any that the list has or had. */
export function nextId(bundle: JsonObject, list: CountedList): string {
  return idAfter(list, highestEver(bundle, list));
}

/** Returns the id that follows the one with this number. */
export function idAfter(list: CountedList, highest: number): string {
  return `${LETTERS[list]}${highest + 1}`;
}

/** Returns the highest number of an id that a list has or had. */
export function highestEver(bundle: JsonObject, list: CountedList): number {
  return Math.max(highestIn(bundle, list), counterOf(bundle, list));
}

/**
 * Returns the bundle with a note of ids that are gone, so that they are not given again. `before` is what it was made of.
 * Without such ids it has no note.
 */
export function withCounters(before: JsonObject, after: JsonObject): JsonObject {
  const { _counters: _old, ...bundle } = after;
  const counters: JsonObject = {};
  for (const list of LISTS) {
    const used = highestEver(before, list);
    if (used > highestIn(bundle, list)) counters[list] = used;
  }
  return Object.keys(counters).length === 0 ? bundle : { ...bundle, _counters: counters };
}

function counterOf(bundle: JsonObject, list: CountedList): number {
  const counter = objectOf(bundle._counters)[list];
  return typeof counter === 'number' && Number.isSafeInteger(counter) ? counter : 0;
}

function highestIn(bundle: JsonObject, list: CountedList): number {
  const items = (bundle[list] as readonly { readonly id: string }[] | undefined) ?? [];
  return items.reduce((highest, { id }) => Math.max(highest, numberIn(id, LETTERS[list])), 0);
}

function numberIn(id: string, letter: string): number {
  const match = NUMBERED.exec(id);
  return match?.[1] === letter ? Number(match[2]) : 0;
}
