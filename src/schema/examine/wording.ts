import { cutText } from '../../core/text/clean-text.ts';
import { type ReducedSchema, type TypeName, typeOf } from '../reduce/reduced-schema.ts';

export type Path = readonly (string | number)[];

/** The longest value of a caller that is repeated, in characters. */
const MAX_VALUE = 80;
const MAX_NAME = 80;
const MAX_LISTED = 12;

const PLAIN_NAME = /^[A-Za-z_$][\w$-]*$/;
/** Matches characters that could break the line, or show the reader something other than the actual text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;

const TYPE_WORDS: Readonly<Record<TypeName, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  array: 'an array',
  object: 'an object',
};

/** `files[0].path`; odd keys in brackets. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (step.length > MAX_NAME || !PLAIN_NAME.test(step)) return `${text}[${quoted(step, MAX_NAME)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** Returns the start of a sentence about the value at `path`. */
export function subject(path: Path): string {
  return path.length === 0 ? 'the arguments' : `\`${pathText(path)}\``;
}

export function nameText(name: string): string {
  const shown = name.slice(0, MAX_NAME + 1);
  return `\`${PLAIN_NAME.test(shown) ? cutText(shown, MAX_NAME) : quoted(shown, MAX_NAME)}\``;
}

/** Names in a row; of a long list, the first few. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, MAX_LISTED).map(nameText).join(', ');
  return names.length > MAX_LISTED ? `${shown} and ${names.length - MAX_LISTED} more` : shown;
}

/** Describes a value that a caller sent, in few words: long values are described, not repeated. */
export function received(value: unknown): string {
  const type = typeOf(value);
  if (type === 'array') return `an array of ${counted((value as readonly unknown[]).length, 'item')}`;
  if (type === 'object') return 'an object';
  if (type === 'number') return `the number ${value as number}`;
  return type === 'string' ? receivedString(value as string) : printable(JSON.stringify(value));
}

function receivedString(value: string): string {
  const text = value.length < MAX_VALUE ? printable(JSON.stringify(value)) : undefined;
  const isShown = text !== undefined && text.length <= MAX_VALUE;
  return isShown ? `the string ${text}` : `a string of ${counted(lengthOf(value), 'character')}`;
}

/** Returns a value that a schema names. */
export function literalText(value: unknown): string {
  return typeof value === 'string' ? quoted(value, MAX_VALUE) : cutText(printable(JSON.stringify(value)), MAX_VALUE);
}

export function choiceText(values: readonly unknown[]): string {
  if (values.length === 1) return literalText(values[0]);
  const shown = values.slice(0, MAX_LISTED).map(literalText).join(', ');
  const rest = values.length > MAX_LISTED ? ` and ${values.length - MAX_LISTED} more` : '';
  return `one of ${shown}${rest}`;
}

export function typesText(types: readonly TypeName[], isWhole = false): string {
  return alternativesText(types.map((type) => (type === 'number' && isWhole ? 'a whole number' : TYPE_WORDS[type])));
}

export function alternativesText(texts: readonly string[]): string {
  const distinct = [...new Set(texts)];
  return distinct.length < 2 ? distinct.join('') : `${distinct.slice(0, -1).join(', ')} or ${distinct.at(-1)!}`;
}

/** Returns the expected value in a few words; `undefined` if that cannot be said in a few. */
export function expectationOf(schema: ReducedSchema): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (schema.enum !== undefined) return choiceText(schema.enum);
  if (schema.type !== undefined) return typesText(schema.type, schema.multipleOf === 1);
  const texts = schema.anyOf?.map(expectationOf) ?? [];
  const isSayable = texts.length > 0 && texts.length <= 4 && texts.every((text) => text !== undefined);
  return isSayable ? alternativesText(texts as readonly string[]) : undefined;
}

export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}

/** Length in characters, as JSON Schema counts them; not in UTF-16 units. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Looks at no more than the beginning of a long text, of which a schema may be full. */
function quoted(text: string, limit: number): string {
  return cutText(printable(JSON.stringify(text.slice(0, limit + 1))), limit);
}

function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
