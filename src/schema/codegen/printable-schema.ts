import { mapSubschemas, type ReducedNode, type ReducedSchema } from '../reduce/reduced-schema.ts';
import type { UsableSchema } from '../sanitise.ts';

/** Thrown if a schema would produce too much text. */
export class TooMuchText extends Error {}

/** Keywords that json-schema-to-zod turns into functions, or gets wrong: left out, so that more is accepted. */
const LEFT_OUT: readonly (keyof ReducedNode)[] = [
  'prefixItems',
  'uniqueItems',
  'contains',
  'minContains',
  'maxContains',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'dependentRequired',
  'dependentSchemas',
  'not',
];

/** A schema that json-schema-to-zod takes. */
export type PrintableSchema = boolean | Readonly<Record<string, unknown>>;

/**
 * Returns a sanitised schema as json-schema-to-zod can print it with nothing but calls and literals. References are written
 * out; recursion ends in "anything".
 * @throws TooMuchText when that makes more than `maxBytes`.
 */
export function printableSchema({ schema, definitions }: UsableSchema, maxBytes: number): PrintableSchema {
  return new Printer(definitions, maxBytes).print(schema);
}

class Printer {
  readonly #definitions: ReadonlyMap<string, ReducedSchema>;
  readonly #open = new Set<string>();
  #bytesLeft: number;

  constructor(definitions: ReadonlyMap<string, ReducedSchema>, maxBytes: number) {
    this.#definitions = definitions;
    this.#bytesLeft = maxBytes;
  }

  print(schema: ReducedSchema): PrintableSchema {
    if (typeof schema === 'boolean') return schema;
    if (schema.$ref !== undefined) return this.#printReference(schema.$ref);
    if (schema.enum?.some((value) => typeof value === 'object' && value !== null) === true) return true;
    this.#spend(schema);
    const node = withoutLosses(schema);
    const printed = mapSubschemas(node, (part) => this.print(part));
    if (node.type?.length === 1) printed.type = node.type[0];
    return printed;
  }

  #printReference(ref: string): PrintableSchema {
    if (this.#open.has(ref)) return true;
    this.#open.add(ref);
    const printed = this.print(this.#definitions.get(ref) ?? true);
    this.#open.delete(ref);
    return printed;
  }

  /** Counts the texts that will be printed, and a word for each node. */
  #spend({ enum: choices = [], pattern = '', properties = {}, required = [] }: ReducedNode): void {
    const texts = [pattern, ...Object.keys(properties), ...required, ...choices];
    this.#bytesLeft -= texts.reduce<number>((sum, text) => sum + Buffer.byteLength(String(text)) + 4, 10);
    if (this.#bytesLeft < 0) throw new TooMuchText();
  }
}

function withoutLosses(schema: ReducedNode): ReducedNode {
  const kept = Object.entries(schema).filter(([keyword]) => !LEFT_OUT.includes(keyword as keyof ReducedNode));
  const node: ReducedNode = Object.fromEntries(kept);
  const { oneOf, items, additionalProperties, properties, ...rest } = node;
  return {
    ...rest,
    ...(oneOf === undefined ? {} : { allOf: [...(rest.allOf ?? []), { anyOf: oneOf }] }),
    // With the prefix or the patterns gone, these would speak of more than they mean.
    ...(items === undefined || schema.prefixItems !== undefined ? {} : { items }),
    ...(additionalProperties === undefined || schema.patternProperties !== undefined ? {} : { additionalProperties }),
    ...(properties === undefined ? {} : { properties: withoutProto(properties) }),
  };
}

/** Returns the properties without `__proto__`: in an object literal, this one name sets the prototype. */
function withoutProto(properties: Readonly<Record<string, ReducedSchema>>): Readonly<Record<string, ReducedSchema>> {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => name !== '__proto__'));
}
