import { isObject } from './reduce/reduced-schema.ts';

/** The drafts in which a keyword had a meaning: `since` and `until` are the first and the last, named by year from 2019 on. */
interface Lifetime {
  readonly since?: number;
  readonly until?: number;
}

const LIFETIMES: ReadonlyMap<string, Lifetime> = new Map<string, Lifetime>([
  ['const', { since: 6 }],
  ['contains', { since: 6 }],
  ['propertyNames', { since: 6 }],
  ['if', { since: 7 }],
  ['then', { since: 7 }],
  ['else', { since: 7 }],
  ['dependentRequired', { since: 2019 }],
  ['dependentSchemas', { since: 2019 }],
  ['minContains', { since: 2019 }],
  ['maxContains', { since: 2019 }],
  ['unevaluatedItems', { since: 2019 }],
  ['unevaluatedProperties', { since: 2019 }],
  ['prefixItems', { since: 2020 }],
  ['dependencies', { until: 7 }],
  ['additionalItems', { until: 2019 }],
]);

const SCHEMA_URI =
  /^https?:\/\/json-schema\.org\/(?:draft-0([4-7])|draft\/(2019)-09|draft\/(2020)-12)\/(?:hyper-)?schema#?$/;

/**
 * The keywords that a schema is written with. A schema that names no draft is read with all of them: in practice it is
 * as likely to be draft-07 as 2020-12, and a keyword that was written was intended.
 */
export class Dialect {
  readonly #draft: number | undefined;

  constructor(root: unknown) {
    this.#draft = draftOf(root);
  }

  /** True until draft-07, where everything beside `$ref` is ignored. */
  get refStandsAlone(): boolean {
    return this.#draft !== undefined && this.#draft <= 7;
  }

  /** True for draft-04, where `exclusiveMinimum: true` sharpens `minimum`. */
  get hasBooleanExclusives(): boolean {
    return this.#draft === 4;
  }

  /** Returns the members of `schema` that are keywords here. */
  keywordsOf(schema: Readonly<Record<string, unknown>>): Map<string, unknown> {
    return new Map(Object.entries(schema).filter(([keyword]) => this.#understands(keyword)));
  }

  /** Returns the URI that makes `schema` a document of its own, which its `#…` references are relative to. */
  ownUri(schema: Readonly<Record<string, unknown>>): string | undefined {
    const keyword = this.#draft === 4 ? 'id' : '$id';
    const uri = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
    return typeof uri === 'string' && uri !== '' && !uri.startsWith('#') ? uri : undefined;
  }

  #understands(keyword: string): boolean {
    const lifetime = LIFETIMES.get(keyword);
    if (lifetime === undefined || this.#draft === undefined) return true;
    return this.#draft >= (lifetime.since ?? 0) && this.#draft <= (lifetime.until ?? Number.POSITIVE_INFINITY);
  }
}

function draftOf(root: unknown): number | undefined {
  const uri = isObject(root) && Object.hasOwn(root, '$schema') ? root.$schema : undefined;
  if (typeof uri !== 'string') return undefined;
  const match = SCHEMA_URI.exec(uri);
  return match === null ? undefined : Number(match[1] ?? match[2] ?? match[3]);
}
