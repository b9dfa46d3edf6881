import type { ReducedSchema } from '../reduce/reduced-schema.ts';
import type { Path } from './wording.ts';

/** One way in which a value does not fit its schema. */
export interface Finding {
  readonly path: Path;
  readonly message: string;
  /** The value is of the wrong type altogether, so that other findings about it are moot. */
  readonly isWrongType?: true;
  /** The values that were allowed here, when that is what was missed. */
  readonly choices?: readonly unknown[];
}

/** A value under examination: where it is, and the schema that it was first held against. */
export interface Spot {
  readonly value: unknown;
  readonly path: Path;
  /** `allOf` and its like lead away from it, but names that it knows are known in all of them. */
  readonly top: ReducedSchema;
}

/** Takes findings until it is full. */
export class Findings {
  readonly #limit: number;
  readonly #found: Finding[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get all(): readonly Finding[] {
    return this.#found;
  }

  get isEmpty(): boolean {
    return this.#found.length === 0;
  }

  get isFull(): boolean {
    return this.#found.length >= this.#limit;
  }

  add(finding: Finding): void {
    if (!this.isFull) this.#found.push(finding);
  }
}

/** The functions that the examining modules need from each other. */
export interface Examiner {
  /** Suggests names for required members that are missing. */
  readonly misspellings: { find(name: string, spot: Spot): string | undefined };
  examine(schema: ReducedSchema, spot: Spot, findings: Findings): void;
  accepts(schema: ReducedSchema, value: unknown): boolean;
  /** Returns the schema that a `$ref` stands for. */
  resolve(schema: ReducedSchema): ReducedSchema;
}

/** Returns the member or item of `spot` under `key`. */
export function inside(spot: Spot, key: string | number, top: ReducedSchema): Spot {
  return { value: (spot.value as Record<string | number, unknown>)[key], path: [...spot.path, key], top };
}
