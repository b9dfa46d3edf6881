import type { PartContext } from './reduce-containers.ts';
import type { Keywords } from './reduce-values.ts';
import type { ReducedSchema, Reduction } from './reduced-schema.ts';

/** Keywords that change their meaning with other schemas in a way that we do not follow: what they say is left out. */
const NOT_FOLLOWED = ['$dynamicRef', '$recursiveRef', 'extends', 'disallow'] as const;

/**
 * The keywords that combine schemas. A reduced schema may accept more than its original, so if accepting more
 * inside means accepting less outside (`not`, `oneOf`, `if`), only exact parts may be kept.
 */
export function reduceCombinations(keywords: Keywords, context: PartContext): void {
  const { builder } = context;
  for (const part of branchesOf('allOf', keywords, context)) builder.demand(builder.take(part));
  const anyOf = branchesOf('anyOf', keywords, context);
  if (anyOf.length > 0) builder.demandOneOf(anyOf.map((part) => builder.take(part)));
  reduceOneOf(branchesOf('oneOf', keywords, context), context);
  reduceNot(keywords, context);
  reduceConditional(keywords, context);
  if (NOT_FOLLOWED.some((keyword) => keywords.has(keyword))) builder.loosen();
}

function branchesOf(keyword: string, keywords: Keywords, { builder, reduce }: PartContext): readonly Reduction[] {
  const list = keywords.get(keyword);
  if (Array.isArray(list) && list.length > 0) return list.map((schema) => reduce(schema));
  if (list !== undefined) builder.loosen();
  return [];
}

function reduceOneOf(branches: readonly Reduction[], { builder }: PartContext): void {
  if (branches.length === 0) return;
  const schemas = branches.map((part) => part.schema);
  if (branches.length > 1 && branches.every((part) => part.isExact)) {
    builder.demand({ oneOf: schemas });
    return;
  }
  if (branches.length > 1 || !branches[0]!.isExact) builder.loosen();
  builder.demandOneOf(schemas);
}

function reduceNot(keywords: Keywords, { builder, reduce }: PartContext): void {
  const not = keywords.get('not');
  if (not === undefined) return;
  const { schema, isExact } = reduce(not);
  if (!isExact) builder.loosen();
  else builder.demand(negated(schema));
}

function negated(schema: ReducedSchema): ReducedSchema {
  return typeof schema === 'boolean' ? !schema : { not: schema };
}

/** If A then B else C: B unless A, and C or A. */
function reduceConditional(keywords: Keywords, { builder, reduce }: PartContext): void {
  if (!keywords.has('if') || !(keywords.has('then') || keywords.has('else'))) return;
  const condition = reduce(keywords.get('if'));
  const accepted = builder.take(reduce(keywords.get('then') ?? true));
  const otherwise = builder.take(reduce(keywords.get('else') ?? true));
  if (condition.isExact) {
    builder.demandOneOf([accepted, negated(condition.schema)]);
    builder.demandOneOf([otherwise, condition.schema]);
  } else {
    builder.loosen();
    builder.demandOneOf([accepted, otherwise]);
  }
}
