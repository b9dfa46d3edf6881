import { z } from 'zod';
import { convertJsonSchemaToZod } from 'zod-from-json-schema';
import { type Keyword, mapSubschemas, type ReducedNode, type ReducedSchema, type TypeName } from './reduced-schema.ts';
import type { SanitisedSchema } from './sanitise.ts';

const ALL_TYPES: readonly TypeName[] = ['string', 'number', 'boolean', 'null', 'array', 'object'];

const MEMBER_KEYWORDS: readonly Keyword[] = ['properties', 'required', 'patternProperties', 'additionalProperties'];

/** With these beside them, keywords cannot be taken apart by type. */
const NOT_SEPARABLE: ReadonlySet<string> = new Set<Keyword>(['enum', '$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if']);

export type ConvertibleSchema = Extract<SanitisedSchema, { readonly isConvertible: true }>;

/** What a conversion throws that ran out of time. */
export class ConversionTimeout extends Error {}

/**
 * The Zod schema of a sanitised schema, without compiled code in it. `TimeLimit` is not for this: a converter that is
 * cut off keeps a half-done document in its module, and from then on drops every `$ref` that it meets. So it is ended
 * from inside: it reads the description of each node, and ours throws when the time is over.
 * @throws ConversionTimeout; also what the converter throws.
 */
export function convertToZod({ schema, definitions }: ConvertibleSchema, limitMs: number): z.ZodType {
  const deadline = performance.now() + limitMs;
  const nodePrototype = {
    get description(): undefined {
      if (performance.now() > deadline) throw new ConversionTimeout();
      return undefined;
    },
  };
  const root = converterInput(schema, definitions, nodePrototype);
  return withoutJit(() => convertJsonSchemaToZod(root as Parameters<typeof convertJsonSchemaToZod>[0]));
}

/** Copies the schema onto nodes with the given prototype. What is shared stays shared: the converter makes use of it. */
function converterInput(
  schema: ReducedSchema,
  definitions: ReadonlyMap<string, ReducedSchema>,
  nodePrototype: object,
): unknown {
  const copies = new Map<object, object>();
  const copyOf = (part: ReducedSchema): unknown => {
    if (typeof part === 'boolean') return part;
    const known = copies.get(part);
    if (known !== undefined) return known;
    const copy: object = Object.assign(Object.create(nodePrototype), mapSubschemas(objectsApart(part), copyOf));
    copies.set(part, copy);
    return copy;
  };
  const root = copyOf(schema);
  if (definitions.size === 0) return root;
  const entries = [...definitions].map(([ref, part]) => [ref.slice(ref.lastIndexOf('/') + 1), copyOf(part)] as const);
  return Object.assign(Object.create(nodePrototype), root, { $defs: Object.fromEntries(entries) });
}

/**
 * Where a value may be an object or something else, the converter checks members twice, and members of members four
 * times: exponential. Said as alternatives, it does so once.
 */
function objectsApart(node: ReducedNode): ReducedNode {
  const { type = ALL_TYPES, ...rest } = node;
  const speaksOfMembers = MEMBER_KEYWORDS.some((keyword) => node[keyword] !== undefined);
  const isSeparable = Object.keys(rest).every((keyword) => !NOT_SEPARABLE.has(keyword));
  if (!speaksOfMembers || !isSeparable || type.length === 1) return node;
  const others = type.filter((name) => name !== 'object');
  const forOthers = Object.entries(rest).filter(([keyword]) => !MEMBER_KEYWORDS.includes(keyword as Keyword));
  const alternatives = [{ ...Object.fromEntries(forOthers), type: others }];
  return { anyOf: type.includes('object') ? [{ ...rest, type: ['object'] }, ...alternatives] : alternatives };
}

/**
 * Zod compiles the parsers of objects with `new Function`, out of property names that somebody else chose. Whether a
 * schema does so is settled when it is made, so the switch is back before anybody else makes one.
 */
function withoutJit<T>(work: () => T): T {
  const before = z.config().jitless ?? false;
  z.config({ jitless: true });
  try {
    return work();
  } finally {
    z.config({ jitless: before });
  }
}
