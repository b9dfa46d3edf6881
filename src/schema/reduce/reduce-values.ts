import type { Dialect } from '../dialect.ts';
import type { NodeBuilder } from '../node-builder.ts';
import { isPortablePattern, patternReadings } from '../pattern.ts';
import { isPrecise, type TypeName, typeOf } from './reduced-schema.ts';

const TYPE_NAMES: ReadonlySet<unknown> = new Set<TypeName>(['string', 'number', 'boolean', 'null', 'array', 'object']);

/** The members of a schema that are keywords in its dialect. */
export type Keywords = ReadonlyMap<string, unknown>;

/** `keyword` as a number that passes `isValid`; one that does not is left out. */
function takeNumber(
  keywords: Keywords,
  keyword: string,
  context: { readonly builder: NodeBuilder; readonly isValid: (value: number) => boolean },
): number | undefined {
  const value = keywords.get(keyword);
  if (typeof value === 'number' && Number.isFinite(value) && context.isValid(value)) return value;
  if (value !== undefined) context.builder.loosen();
  return undefined;
}

type CountKeyword =
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'minContains'
  | 'maxContains'
  | 'minProperties'
  | 'maxProperties';

export function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** Sets those of `names` that are whole numbers from 0 on. */
export function reduceCounts(keywords: Keywords, builder: NodeBuilder, names: readonly CountKeyword[]): void {
  for (const name of names) {
    const count = takeNumber(keywords, name, { builder, isValid: isCount });
    if (count !== undefined) builder.set<CountKeyword>(name, count);
  }
}

export function reduceStrings(keywords: Keywords, builder: NodeBuilder): void {
  reduceCounts(keywords, builder, ['minLength', 'maxLength']);
  const pattern = keywords.get('pattern');
  if (pattern === undefined) return;
  if (typeof pattern === 'string' && patternReadings(pattern).length > 0) {
    builder.set('pattern', pattern);
    if (isPortablePattern(pattern)) return;
  }
  builder.loosen();
}

export function reduceNumbers(keywords: Keywords, builder: NodeBuilder, dialect: Dialect): void {
  reduceBound(keywords, builder, { inclusive: 'minimum', exclusive: 'exclusiveMinimum', dialect });
  reduceBound(keywords, builder, { inclusive: 'maximum', exclusive: 'exclusiveMaximum', dialect });
  const step = takeNumber(keywords, 'multipleOf', { builder, isValid: (value) => value > 0 });
  if (step === undefined) return;
  builder.set('multipleOf', step);
  builder.loosen(); // 0.3 / 0.1 is not 3, and the last digit of a number beyond 2^53 is unknown
}

interface Bound {
  readonly inclusive: 'minimum' | 'maximum';
  readonly exclusive: 'exclusiveMinimum' | 'exclusiveMaximum';
  readonly dialect: Dialect;
}

function reduceBound(keywords: Keywords, builder: NodeBuilder, { inclusive, exclusive, dialect }: Bound): void {
  const isValid = () => true;
  const bound = takeNumber(keywords, inclusive, { builder, isValid });
  const sharpens = keywords.get(exclusive);
  if (!everyNumber([bound, sharpens], isPrecise)) builder.loosen();
  if (bound !== undefined)
    builder.set(sharpens === true && dialect.hasBooleanExclusives ? exclusive : inclusive, bound);
  if (typeof sharpens === 'boolean') {
    if (sharpens && !dialect.hasBooleanExclusives) builder.loosen();
    return;
  }
  const exclusiveBound = takeNumber(keywords, exclusive, { builder, isValid });
  if (exclusiveBound !== undefined) builder.set(exclusive, exclusiveBound);
}

/** `type`; "integer" becomes `multipleOf: 1`, because Zod's integers end at 2^53. Call it after `reduceNumbers`. */
export function reduceType(keywords: Keywords, builder: NodeBuilder): readonly TypeName[] | undefined {
  const written = keywords.get('type');
  if (written === undefined) return undefined;
  const names: readonly unknown[] = Array.isArray(written) ? written : [written];
  if (names.length === 0 || !names.every((name) => name === 'integer' || TYPE_NAMES.has(name))) {
    builder.loosen();
    return undefined;
  }
  if (names.includes('integer') && !names.includes('number')) demandWholeNumbers(keywords, builder);
  const types = [...new Set(names.map((name) => (name === 'integer' ? 'number' : (name as TypeName))))];
  builder.set('type', types);
  return types;
}

function demandWholeNumbers(keywords: Keywords, builder: NodeBuilder): void {
  const step = keywords.get('multipleOf');
  if (typeof step === 'number' && step > 0 && Number.isInteger(step)) return; // whole anyway
  builder.loosen(); // as with any multiple
  builder.set('multipleOf', 1);
}

/**
 * `enum` and `const`. If they contradict `type`, it is the type that was a slip: the values count. If not even
 * one value is of the type (Xcode 26.5 describes `operation` of XcodeMV as an object, one of "move" and "copy"), both
 * readings are offered. Call it after all keywords but the combining ones.
 */
export function reduceChoices(keywords: Keywords, builder: NodeBuilder, types: readonly TypeName[] | undefined): void {
  const values = choicesOf(keywords, builder);
  if (values === undefined) return;
  const fitting = types === undefined ? values : values.filter((value) => fitsType(value, types, keywords));
  const isCertain = values.every((value) => everyNumber(value, isPrecise));
  if (fitting.length < values.length || !isCertain) builder.loosen();
  if (fitting.length === 0) builder.offerInstead({ enum: values });
  else {
    builder.set('enum', values);
    builder.unset('type');
  }
}

function fitsType(value: unknown, types: readonly TypeName[], keywords: Keywords): boolean {
  if (!types.includes(typeOf(value))) return false;
  const written = keywords.get('type');
  const isWholeOnly = written === 'integer' || (Array.isArray(written) && !written.includes('number'));
  return typeof value !== 'number' || !isWholeOnly || Number.isInteger(value);
}

function choicesOf(keywords: Keywords, builder: NodeBuilder): readonly unknown[] | undefined {
  const list = keywords.get('enum');
  const isList = Array.isArray(list) && list.length > 0 && list.every((value) => everyNumber(value, Number.isFinite));
  if (list !== undefined && !isList) builder.loosen();
  if (!keywords.has('const')) return isList ? list : undefined;
  const constant = keywords.get('const');
  if (isList || !everyNumber(constant, Number.isFinite)) {
    builder.loosen(); // both at once: the list alone is the wider of the two
    return isList ? list : undefined;
  }
  return [constant];
}

function everyNumber(value: unknown, fits: (number: unknown) => boolean): boolean {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).every((inner) => everyNumber(inner, fits));
  }
  return typeof value !== 'number' || fits(value);
}
