import { type KnownMembers, knownMembers } from '../reduce/known-members.ts';
import type { ReducedSchema } from '../reduce/reduced-schema.ts';
import type { Examiner, Spot } from './findings.ts';
import { nearestName } from './suggest.ts';

/** Pairs of characters that one check compares at the most, to suggest names: after that it suggests none. */
const MAX_COMPARED = 400_000;

/** Finds, for one check, the members whose names are misspelt. The work is bounded, however many names are missing. */
export class Misspellings {
  readonly #examiner: Examiner;
  /** The names that schemas know: many alternatives ask for those of the schema that they belong to. */
  readonly #known = new Map<ReducedSchema, KnownMembers>();
  #left = MAX_COMPARED;

  constructor(examiner: Examiner) {
    this.#examiner = examiner;
  }

  /** Returns the unknown member of an object that was most likely meant to be `name`; `undefined` where none is near. */
  find(name: string, { value, top }: Spot): string | undefined {
    if (this.#left <= 0) return undefined;
    const known = this.#knownBy(top);
    const unknown = Object.keys(value as object).filter((key) => !known.has(key));
    this.#left -= unknown.reduce((sum, { length }) => sum + length * name.length, 0);
    return this.#left > 0 ? nearestName(name, unknown) : undefined;
  }

  #knownBy(schema: ReducedSchema): KnownMembers {
    let known = this.#known.get(schema);
    if (known === undefined) {
      known = knownMembers(schema, this.#examiner);
      this.#known.set(schema, known);
    }
    return known;
  }
}
