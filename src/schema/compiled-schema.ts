import type { z } from 'zod';
import { ConversionTimeout, type ConvertibleSchema, convertToZod } from './convert.ts';
import { explain } from './examine/explain.ts';
import type { Finding } from './examine/findings.ts';
import { type Quickness, quicknessOf } from './examine/quickness.ts';
import { sizeOfArguments } from './measure.ts';
import { isTimeout, type TimeLimit } from './time-limit.ts';

/** What one check found; `undefined` when there is no knowing. */
export type Judgement = readonly Finding[] | undefined;

const MAX_FINDINGS = 10;

/** After so many time-outs a schema is left alone: each of them stops the whole process for a while. */
const MAX_TIMEOUTS = 3;

/** A sanitised schema with the Zod schema made of it, at the first check. */
export class CompiledSchema {
  readonly #sanitised: ConvertibleSchema;
  readonly #timeLimit: TimeLimit;
  readonly #limitMs: number;
  readonly #quickness: Quickness;
  #zod: z.ZodType | undefined;
  #timeouts = 0;
  #isHopeless = false;

  constructor(
    sanitised: ConvertibleSchema,
    { timeLimit, limitMs }: { readonly timeLimit: TimeLimit; readonly limitMs: number },
  ) {
    this.#sanitised = sanitised;
    this.#timeLimit = timeLimit;
    this.#limitMs = limitMs;
    this.#quickness = quicknessOf(sanitised.schema);
  }

  /** Never throws. */
  judge(args: unknown): Judgement {
    if (this.#isHopeless) return undefined;
    try {
      return this.#judge(args);
    } catch (error) {
      this.#onFailure(error);
      return undefined;
    }
  }

  #onFailure(error: unknown): void {
    const isOverTime = isTimeout(error) || error instanceof ConversionTimeout;
    if (isOverTime) this.#timeouts += 1;
    const isInconvertible = this.#zod === undefined && !isOverTime;
    this.#isHopeless = isInconvertible || this.#timeouts >= MAX_TIMEOUTS;
  }

  #judge(args: unknown): Judgement {
    const size = sizeOfArguments(args);
    if (size === undefined) return undefined;
    const { maxParts, maxCharacters } = this.#quickness;
    const isQuick = size.nodes <= maxParts && size.characters <= maxCharacters;
    this.#zod ??= convertToZod(this.#sanitised, this.#limitMs);
    const zod = this.#zod;
    return isQuick ? this.#hold(args, zod) : this.#timeLimit.run(() => this.#hold(args, zod));
  }

  /**
   * A rejection needs two that agree. The converter takes JSON Schema more strictly than it is in places (`1e400`,
   * members named `__proto__`, patterns with Unicode classes); what it rejects and we find no fault with, passes.
   */
  #hold(args: unknown, zod: z.ZodType): readonly Finding[] {
    if (zod.safeParse(args).success) return [];
    const { schema, definitions } = this.#sanitised;
    return explain(schema, args, { definitions, limit: MAX_FINDINGS });
  }
}
