import type { Keyword, ReducedNode, ReducedSchema, Reduction, TypeName } from './reduce/reduced-schema.ts';

const IN_PLACE: readonly Keyword[] = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not'];

type Draft = { -readonly [K in Keyword]?: ReducedNode[K] };

/** Collects the keywords of one node, and whether anything was left out of it on the way. */
export class NodeBuilder {
  #draft: Draft = {};
  #demands: ReducedSchema[] = [];
  #isExact = true;

  set<K extends Keyword>(keyword: K, value: NonNullable<ReducedNode[K]>): void {
    this.#draft[keyword] = value;
  }

  unset(keyword: Keyword): void {
    delete this.#draft[keyword];
  }

  /** Says that the node accepts more than its original. */
  loosen(): void {
    this.#isExact = false;
  }

  /** Returns the schema of `part`, whose exactness this node takes over. */
  take(part: Reduction): ReducedSchema {
    if (!part.isExact) this.loosen();
    return part.schema;
  }

  /** Demands that a value also fits `schema`. */
  demand(schema: ReducedSchema): void {
    if (schema !== true) this.#demands.push(schema);
  }

  /** Demands that a value fits one of `schemas`. */
  demandOneOf(schemas: readonly ReducedSchema[]): void {
    this.demand(alternatives(schemas));
  }

  /** Puts the keywords so far into one alternative, beside `schema`. */
  offerInstead(schema: ReducedSchema): void {
    const soFar = this.#ownKeywords();
    this.#draft = {};
    this.demandOneOf([schema, soFar]);
  }

  build(): Reduction {
    const demands = [...this.#demands, this.#ownKeywords()].filter((schema) => schema !== true);
    return { schema: conjunction(demands), isExact: this.#isExact };
  }

  #ownKeywords(): ReducedSchema {
    return Object.keys(this.#draft).length === 0 ? true : this.#draft;
  }
}

/** Returns the reduction that requires both of two parts. */
export function both(first: Reduction, second: Reduction): Reduction {
  const builder = new NodeBuilder();
  builder.demand(builder.take(first));
  builder.demand(builder.take(second));
  return builder.build();
}

/** `schema`, or null. */
export function withNull(schema: ReducedSchema): ReducedSchema {
  if (schema === true) return true;
  if (schema === false) return { type: ['null'] };
  if (IN_PLACE.some((keyword) => schema[keyword] !== undefined)) return { anyOf: [schema, { type: ['null'] }] };
  return {
    ...schema,
    ...(schema.type === undefined ? {} : { type: union(schema.type, ['null']) }),
    ...(schema.enum === undefined || schema.enum.includes(null) ? {} : { enum: [...schema.enum, null] }),
  };
}

/** One of `schemas`, as plainly as it can be said: `string | null` needs no alternatives, only a list of types. */
function alternatives(schemas: readonly ReducedSchema[]): ReducedSchema {
  const possible = schemas.filter((schema) => schema !== false);
  if (possible.includes(true)) return true;
  const types = possible.map(bareTypes);
  if (types.every((list) => list !== undefined) && types.length > 0) return { type: union(...types) };
  const others = possible.filter((_, index) => types[index]?.join() !== 'null');
  if (others.length === 0) return false;
  if (others.length > 1) return { anyOf: possible };
  return others.length < possible.length ? withNull(others[0]!) : others[0]!;
}

/** Returns the types of a schema that says nothing else. */
function bareTypes(schema: ReducedSchema): readonly TypeName[] | undefined {
  return typeof schema === 'object' && Object.keys(schema).length === 1 ? schema.type : undefined;
}

function conjunction(demands: readonly ReducedSchema[]): ReducedSchema {
  if (demands.includes(false)) return false;
  if (demands.length === 0) return true;
  if (demands.length === 1) return demands[0]!;
  const own = demands.at(-1)!;
  const isRoomLeft = typeof own === 'object' && !IN_PLACE.some((keyword) => own[keyword] !== undefined);
  return isRoomLeft ? { ...own, allOf: demands.slice(0, -1) } : { allOf: demands };
}

function union(...lists: readonly (readonly TypeName[])[]): readonly TypeName[] {
  return [...new Set(lists.flat())];
}
