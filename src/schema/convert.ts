import { z } from 'zod';
import { convertJsonSchemaToZod } from 'zod-from-json-schema';
import {
  type Keyword,
  mapSubschemas,
  type ReducedNode,
  type ReducedSchema,
  type TypeName,
} from './reduce/reduced-schema.ts';
import type { SanitisedSchema } from './sanitise.ts';
import { usedMs } from './time-limit.ts';

const ALL_TYPES: readonly TypeName[] = ['string', 'number', 'boolean', 'null', 'array', 'object'];

const MEMBER_KEYWORDS: readonly Keyword[] = ['properties', 'required', 'patternProperties', 'additionalProperties'];

/** With these beside them, keywords cannot be taken apart by type. */
const NOT_SEPARABLE: ReadonlySet<string> = new Set<Keyword>(['enum', '$ref', 'allOf', 'anyOf', 'oneOf', 'not']);

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
  const before = process.cpuUsage();
  const nodePrototype = {
    get description(): undefined {
      // On a busy machine, time passes in which this process does nothing.
      if (performance.now() > deadline && usedMs(before) > limitMs) throw new ConversionTimeout();
      return undefined;
    },
  };
  const root = converterInput(schema, definitions, nodePrototype);
  return withoutJit(() => convertJsonSchemaToZod(root as Parameters<typeof convertJsonSchemaToZod>[0]));
}

function converterInput(
  schema: ReducedSchema,
  definitions: ReadonlyMap<string, ReducedSchema>,
  nodePrototype: object,
): unknown {
  const copier = new Copier(nodePrototype);
  const root = copier.copyOf(schema);
  if (definitions.size === 0) return root;
  const entries = [...definitions].map(
    ([ref, part]) => [ref.slice(ref.lastIndexOf('/') + 1), copier.copyOf(part)] as const,
  );
  return Object.assign(Object.create(nodePrototype), root, { $defs: Object.fromEntries(entries) });
}

/**
 * Copies schemas onto nodes with the given prototype. Equal parts become one object, which the converter converts
 * once: Zod's schemas are big and slow to make, and most tools have the same few kinds of member over and over.
 */
class Copier {
  readonly #nodePrototype: object;
  readonly #copies = new Map<ReducedNode, object>();
  readonly #byContent = new Map<string, object>();
  readonly #numbers = new Map<unknown, number>();

  constructor(nodePrototype: object) {
    this.#nodePrototype = nodePrototype;
  }

  copyOf(schema: ReducedSchema): unknown {
    if (typeof schema === 'boolean') return schema;
    const known = this.#copies.get(schema);
    if (known !== undefined) return known;
    const copy = this.#interned(mapSubschemas(objectsApart(schema), (part) => this.copyOf(part)));
    this.#copies.set(schema, copy);
    return copy;
  }

  #interned(keywords: object): object {
    const content = JSON.stringify(keywords, (_key, value: unknown) => this.#numberOf(value));
    const equal = this.#byContent.get(content);
    if (equal !== undefined) return equal;
    const copy: object = Object.assign(Object.create(this.#nodePrototype), keywords);
    this.#byContent.set(content, copy);
    this.#numbers.set(copy, this.#numbers.size);
    return copy;
  }

  /** A copy stands for all that is in it. */
  #numberOf(value: unknown): unknown {
    const number = this.#numbers.get(value);
    return number === undefined ? value : `copy ${number}`;
  }
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
