import type { NodeBuilder } from '../node-builder.ts';
import { isPortablePattern, patternReadings } from '../pattern.ts';
import { isCount, type Keywords, reduceCounts } from './reduce-values.ts';
import { isObject, type ReducedSchema, type Reduction } from './reduced-schema.ts';

export interface PartContext {
  readonly builder: NodeBuilder;
  /** Reduces a schema inside the present one. */
  readonly reduce: (schema: unknown) => Reduction;
}

export function reduceArrays(keywords: Keywords, context: PartContext): void {
  const { builder } = context;
  reduceCounts(keywords, builder, ['minItems', 'maxItems']);
  reduceItems(keywords, context);
  reduceContains(keywords, context);
  const unique = keywords.get('uniqueItems');
  if (unique === true) builder.set('uniqueItems', true);
  if (unique !== undefined && unique !== false) builder.loosen(); // large numbers may differ and look the same
  if (isConstraint(keywords.get('unevaluatedItems'))) builder.loosen();
}

/** A tuple is `prefixItems` + `items` since 2020-12, and was `items` + `additionalItems` before. */
function reduceItems(keywords: Keywords, { builder, reduce }: PartContext): void {
  const items = keywords.get('items');
  const isOldTuple = Array.isArray(items);
  const prefix = isOldTuple ? items : (keywords.get('prefixItems') ?? []);
  const rest = isOldTuple ? keywords.get('additionalItems') : items;
  if (!Array.isArray(prefix) || (isOldTuple && keywords.has('prefixItems'))) {
    builder.loosen(); // without its prefix, `items` would speak of every item
    return;
  }
  const schemas = prefix.map((schema) => builder.take(reduce(schema)));
  if (schemas.length > 0) builder.set('prefixItems', schemas);
  const restSchema = rest === undefined ? true : builder.take(reduce(rest));
  if (restSchema !== true) builder.set('items', restSchema);
}

function reduceContains(keywords: Keywords, { builder, reduce }: PartContext): void {
  const contains = keywords.get('contains');
  if (contains === undefined) return;
  const { schema, isExact } = reduce(contains);
  if (!isExact) builder.loosen();
  builder.set('contains', schema);
  reduceCounts(keywords, builder, isExact ? ['minContains', 'maxContains'] : ['minContains']);
  const least = keywords.get('minContains');
  if (least !== undefined && !isCount(least)) builder.set('minContains', 0); // else it would be one
}

export function reduceObjects(keywords: Keywords, context: PartContext): void {
  const { builder } = context;
  reduceCounts(keywords, builder, ['minProperties', 'maxProperties']);
  reduceRequired(keywords.get('required'), builder);
  reduceMembers(keywords, context);
  const names = keywords.get('propertyNames');
  if (names !== undefined) setUnlessAnything('propertyNames', names, context);
  reduceDependencies(keywords, context);
  if (isConstraint(keywords.get('unevaluatedProperties'))) builder.loosen();
}

function reduceRequired(required: unknown, builder: NodeBuilder): void {
  if (required === undefined) return;
  const names = namesIn(required);
  if (!Array.isArray(required) || names.length < required.length) builder.loosen();
  if (names.length > 0) builder.set('required', names);
}

function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list) ? [...new Set(list.filter((name) => typeof name === 'string'))] : [];
}

/** `additionalProperties: false` is left out on purpose: servers accept more than they say, so unknown keys pass. */
function reduceMembers(keywords: Keywords, context: PartContext): void {
  const { builder } = context;
  const properties = reduceMap(keywords.get('properties'), context);
  const patterns = reduceMap(keywords.get('patternProperties'), context);
  const usable = (patterns ?? []).filter(([pattern]) => patternReadings(pattern).length > 0);
  if (!(patterns ?? []).every(([pattern]) => isPortablePattern(pattern))) builder.loosen();
  if (properties !== undefined && properties.length > 0) builder.set('properties', Object.fromEntries(properties));
  if (usable.length > 0) builder.set('patternProperties', Object.fromEntries(usable));
  const additional = keywords.get('additionalProperties');
  if (additional === undefined || additional === true) return;
  // With some of its exceptions unknown, it would speak of members that it does not mean.
  const isComplete = properties !== undefined && patterns?.length === usable.length;
  if (additional === false || !isComplete) builder.loosen();
  else setUnlessAnything('additionalProperties', additional, context);
}

/** Returns the entries of a map of schemas; none if the keyword is absent, `undefined` if it is no map. */
function reduceMap(
  map: unknown,
  { builder, reduce }: PartContext,
): readonly (readonly [string, ReducedSchema])[] | undefined {
  if (map === undefined) return [];
  if (isObject(map)) return Object.entries(map).map(([key, schema]) => [key, builder.take(reduce(schema))]);
  builder.loosen();
  return undefined;
}

function reduceDependencies(keywords: Keywords, context: PartContext): void {
  const { builder } = context;
  const required = new Map<string, readonly string[]>();
  const schemas = new Map<string, ReducedSchema>();
  for (const keyword of ['dependencies', 'dependentRequired', 'dependentSchemas']) {
    const map = keywords.get(keyword);
    if (map === undefined) continue;
    if (!isObject(map)) builder.loosen();
    else collectDependencies(keyword, map, { ...context, required, schemas });
  }
  if (required.size > 0) builder.set('dependentRequired', Object.fromEntries(required));
  if (schemas.size > 0) builder.set('dependentSchemas', Object.fromEntries(schemas));
}

interface DependencyContext extends PartContext {
  readonly required: Map<string, readonly string[]>;
  readonly schemas: Map<string, ReducedSchema>;
}

function collectDependencies(
  keyword: string,
  map: Readonly<Record<string, unknown>>,
  context: DependencyContext,
): void {
  for (const [key, dependency] of Object.entries(map)) {
    const isNames = Array.isArray(dependency) && dependency.every((name) => typeof name === 'string');
    const mayBeNames = keyword !== 'dependentSchemas';
    const mayBeSchema = keyword !== 'dependentRequired';
    if (isNames && mayBeNames) context.required.set(key, [...(context.required.get(key) ?? []), ...dependency]);
    else if (mayBeSchema) context.schemas.set(key, context.builder.take(context.reduce(dependency)));
    else context.builder.loosen();
  }
}

function setUnlessAnything(
  keyword: 'additionalProperties' | 'propertyNames',
  schema: unknown,
  { builder, reduce }: PartContext,
): void {
  const reduced = builder.take(reduce(schema));
  if (reduced !== true) builder.set(keyword, reduced);
}

function isConstraint(schema: unknown): boolean {
  return schema !== undefined && schema !== true;
}
