import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseExactJson } from '../../core/json/exact-json.ts';
import type { JsonObject } from '../../core/stores/checkpoint-store.ts';
import { inSlices } from '../../core/timing/steps.ts';
import { memberTexts } from './member-texts.ts';

/** The length of a text from which on work on it is followed by other work of the event loop. */
const LARGE = 128 * 1024;

/** Parses the text of a bundle. */
export async function parsed(text: string): Promise<JsonObject> {
  const object = parseExactJson(text) as JsonObject;
  await pauseAfter(text);
  return object;
}

/** Returns the members of a bundle as JSON texts. */
export function textsOf(bundle: JsonObject): Promise<Map<string, string>> {
  return inSlices(memberTexts(bundle));
}

/** Lets other work run after work on a large text. */
export async function pauseAfter(text: string): Promise<void> {
  if (text.length > LARGE) await nextTurn();
}
