import { exactJson } from '../../core/json/exact-json.ts';
import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import type { Steps } from '../../core/timing/steps.ts';

/** The members of a JSON object, each value as JSON text, in their order. */
export type MemberTexts = ReadonlyMap<string, string>;

/** The number of items of a list that are written without a pause. */
const ITEMS_AT_ONCE = 200;

export function* memberTexts(object: JsonObject): Steps<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(object)) {
    const text = Array.isArray(value) ? yield* listText(value) : exactJson(value);
    if (text !== undefined) texts.set(key, text);
    yield;
  }
  return texts;
}

function* listText(items: readonly unknown[]): Steps<string> {
  const parts: string[] = [];
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    parts.push(exactJson(items.slice(from, from + ITEMS_AT_ONCE))!.slice(1, -1));
    yield;
  }
  return `[${parts.join(',')}]`;
}

/** Text, not an object that is filled member by member: `__proto__` is a member like any other. */
export function objectText(members: MemberTexts): string {
  return `{${[...members].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}
