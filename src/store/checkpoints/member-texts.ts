import { exactJson } from '../../core/json/exact-json.ts';
import type { JsonObject } from '../../core/stores/checkpoint-store.ts';

/** The members of a JSON object, each value as JSON text, in their order. */
export type MemberTexts = ReadonlyMap<string, string>;

export function memberTexts(object: JsonObject): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(object)) {
    const text = exactJson(value);
    if (text !== undefined) texts.set(key, text);
  }
  return texts;
}

/** Text, not an object that is filled member by member: `__proto__` is a member like any other. */
export function objectText(members: MemberTexts): string {
  return `{${[...members].map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
}
