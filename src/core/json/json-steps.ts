import type { Steps } from '../timing/steps.ts';
import { exactJson } from './exact-json.ts';

/** The number of items of a list that are written without a pause. */
const ITEMS_AT_ONCE = 100;
/** Values deeper inside are written without a pause. */
const LEVELS = 3;

/**
 * `exactJson` in steps: the same text of a value that may be large. `undefined` for what has no JSON form.
 * @param indent number of spaces; one line without it
 */
export function* jsonSteps(value: unknown, indent = 0, level = 0): Steps<string | undefined> {
  yield;
  if (Array.isArray(value) && value.length > 0)
    return enclosed('[]', yield* itemTexts(value, indent, level), indent, level);
  if (!isPlain(value) || level === LEVELS) return padded(exactJson(value, indent), indent, level);
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = yield* jsonSteps(member, indent, level + 1);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${indent > 0 ? ' ' : ''}${text}`);
  }
  return members.length === 0 ? '{}' : enclosed('{}', members, indent, level);
}

function* itemTexts(items: readonly unknown[], indent: number, level: number): Steps<string[]> {
  const texts: string[] = [];
  const pad = indent > 0 ? `\n${' '.repeat(indent)}` : '';
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const some = exactJson(items.slice(from, from + ITEMS_AT_ONCE), indent)!;
    // Without the brackets, and the line breaks beside them.
    const inner = indent > 0 ? some.slice(1 + pad.length, -2) : some.slice(1, -1);
    texts.push(padded(inner, indent, level)!);
    yield;
  }
  return texts;
}

function enclosed([open, close]: string, texts: readonly string[], indent: number, level: number): string {
  if (indent === 0) return `${open}${texts.join(',')}${close}`;
  const outer = `\n${' '.repeat(indent * level)}`;
  const inner = outer + ' '.repeat(indent);
  return `${open}${inner}${texts.join(`,${inner}`)}${outer}${close}`;
}

/** A text with its lines moved to the right. Strings in JSON have no line breaks. */
function padded(text: string | undefined, indent: number, level: number): string | undefined {
  return indent === 0 || level === 0 ? text : text?.replaceAll('\n', `\n${' '.repeat(indent * level)}`);
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);
}
