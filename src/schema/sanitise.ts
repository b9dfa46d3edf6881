import { Dialect } from './dialect.ts';
import { resolveLocalRef } from './local-ref.ts';
import { excessOf, MAX_BYTES, MAX_NODES, ownCharacters, unfoldedNodes, unfoldedWeight } from './measure.ts';
import { both, NodeBuilder, withNull } from './node-builder.ts';
import { reduceCombinations } from './reduce/reduce-combinations.ts';
import { reduceArrays, reduceObjects } from './reduce/reduce-containers.ts';
import { type Keywords, reduceChoices, reduceNumbers, reduceStrings, reduceType } from './reduce/reduce-values.ts';
import { ANYTHING, isObject, type ReducedSchema, type Reduction } from './reduce/reduced-schema.ts';

export type SanitisedSchema =
  | {
      readonly isUsable: true;
      readonly schema: ReducedSchema;
      /** The recursive parts, under the `$ref` that names them. */
      readonly definitions: ReadonlyMap<string, ReducedSchema>;
    }
  | { readonly isUsable: false; readonly reason: string };

/** A schema that can be used for checks. */
export type UsableSchema = Extract<SanitisedSchema, { readonly isUsable: true }>;

/**
 * Reduces a JSON Schema as servers write them (draft-04 to 2020-12, with slips) to what can be
 * checked and printed. The result accepts everything that the original accepts, and more if we cannot be sure. Nothing is
 * fetched, the input is not changed, and it never throws.
 */
export function sanitiseSchema(schema: unknown): SanitisedSchema {
  try {
    const reason = excessOf(schema);
    if (reason !== undefined) return { isUsable: false, reason };
    return limited(new Reducer(schema).reduceRoot());
  } catch {
    return { isUsable: false, reason: 'nested too deep' }; // the stack is what can run out: of chained references
  }
}

/** Schemas that reuse a part often may grow by as much when their references are written out. */
const MAX_CHARACTERS = 16 * MAX_BYTES;

function limited(sanitised: SanitisedSchema): SanitisedSchema {
  if (!sanitised.isUsable) return sanitised;
  const everything: ReducedSchema = { allOf: [sanitised.schema, ...sanitised.definitions.values()] };
  const isTooMuch = unfoldedNodes(everything) > MAX_NODES || unfoldedWeight(everything, ownCharacters) > MAX_CHARACTERS;
  return isTooMuch ? { isUsable: false, reason: 'too large with its references written out' } : sanitised;
}

/** References followed inside references; a recursive part counts once. */
const MAX_REFERENCE_DEPTH = 64;

interface SchemaPosition {
  readonly referenceDepth: number;
  /** Inside a part with a URI of its own, `#…` means that part, and what that is depends on the reader. */
  readonly mayRefer: boolean;
}

interface Target {
  readonly name: string;
  isRecursive: boolean;
  /** Absent while the target is being reduced: meeting it again then is recursion. */
  reduction?: Reduction;
}

class Reducer {
  readonly #root: unknown;
  readonly #dialect: Dialect;
  readonly #targets = new Map<unknown, Target>();

  constructor(root: unknown) {
    this.#root = root;
    this.#dialect = new Dialect(root);
  }

  reduceRoot(): SanitisedSchema {
    const { schema } = this.#reduceTarget(this.#root, { referenceDepth: 0, mayRefer: true });
    const definitions = new Map<string, ReducedSchema>();
    for (const { name, isRecursive, reduction } of this.#targets.values()) {
      if (isRecursive && reduction !== undefined) definitions.set(name, reduction.schema);
    }
    return { isUsable: true, schema, definitions };
  }

  /** Reduces what is referred to once, and gives every place that refers to it the same object. */
  #reduceTarget(schema: unknown, place: SchemaPosition): Reduction {
    const known = this.#targets.get(schema);
    if (known !== undefined) return this.#meetAgain(known);
    const target: Target = { name: `#/$defs/d${this.#targets.size}`, isRecursive: false };
    this.#targets.set(schema, target);
    target.reduction = this.#reduce(schema, place);
    return this.#meetAgain(target);
  }

  #meetAgain(target: Target): Reduction {
    if (target.reduction === undefined) target.isRecursive = true;
    else if (!target.isRecursive) return target.reduction;
    return { schema: { $ref: target.name }, isExact: target.reduction?.isExact ?? false };
  }

  #reduce(schema: unknown, place: SchemaPosition): Reduction {
    if (typeof schema === 'boolean') return { schema, isExact: true };
    if (!isObject(schema)) return ANYTHING;
    const keywords = this.#dialect.keywordsOf(schema);
    const reduction = this.#reduceAll(schema, keywords, place);
    // Many validators know keywords of other drafts, too.
    const isUnambiguous = keywords.size === Object.keys(schema).length;
    return isUnambiguous ? reduction : { ...reduction, isExact: false };
  }

  #reduceAll(schema: Readonly<Record<string, unknown>>, keywords: Keywords, place: SchemaPosition): Reduction {
    const isDocument = schema !== this.#root && this.#dialect.ownUri(schema) !== undefined;
    const inner = isDocument ? { ...place, mayRefer: false } : place;
    if (!keywords.has('$ref')) return this.#reduceKeywords(keywords, inner);
    const referred = this.#reduceReference(keywords.get('$ref'), inner);
    const beside = this.#reduceKeywords(keywords, inner);
    if (!this.#dialect.refStandsAlone) return both(referred, beside);
    return beside.schema === true ? referred : { ...referred, isExact: false }; // not every validator ignores it
  }

  #reduceReference(ref: unknown, place: SchemaPosition): Reduction {
    if (typeof ref !== 'string' || !place.mayRefer || place.referenceDepth >= MAX_REFERENCE_DEPTH) return ANYTHING;
    const target = resolveLocalRef(this.#root, ref, this.#dialect);
    if (typeof target === 'boolean') return { schema: target, isExact: true };
    if (!isObject(target)) return ANYTHING;
    return this.#reduceTarget(target, { ...place, referenceDepth: place.referenceDepth + 1 });
  }

  #reduceKeywords(keywords: Keywords, place: SchemaPosition): Reduction {
    const builder = new NodeBuilder();
    const context = { builder, reduce: (part: unknown) => this.#reduce(part, place) };
    reduceStrings(keywords, builder);
    reduceNumbers(keywords, builder, this.#dialect);
    const types = reduceType(keywords, builder);
    reduceArrays(keywords, context);
    reduceObjects(keywords, context);
    reduceChoices(keywords, builder, types);
    reduceCombinations(keywords, context);
    const reduction = builder.build();
    // OpenAPI's word, unknown to JSON Schema: who writes it sends null.
    if (keywords.get('nullable') !== true) return reduction;
    return { schema: withNull(reduction.schema), isExact: false };
  }
}
