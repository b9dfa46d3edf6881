import { explain } from './examine/explain.ts';
import type { Finding } from './examine/findings.ts';
import { type Quickness, quicknessOf } from './examine/quickness.ts';
import { sizeOfArguments } from './measure.ts';
import type { UsableSchema } from './sanitise.ts';
import { isTimeout, type TimeLimit } from './time-limit.ts';

/** The findings of one check; `undefined` when there is no knowing. */
export type Judgement = readonly Finding[] | undefined;

const MAX_FINDINGS = 10;

/** The number of time-outs after which a schema is not checked any more: each of them stops the whole process for a while. */
const MAX_TIMEOUTS = 3;

/** Holds values against one schema. It alone decides whether they fit. */
export class SchemaJudge {
  readonly #schema: UsableSchema;
  readonly #timeLimit: TimeLimit;
  readonly #quickness: Quickness;
  #timeouts = 0;

  constructor(schema: UsableSchema, timeLimit: TimeLimit) {
    this.#schema = schema;
    this.#timeLimit = timeLimit;
    this.#quickness = quicknessOf(schema.schema);
  }

  /** Returns what is wrong with a value: nothing where it fits, at most ten things. Never throws. */
  judge(value: unknown): Judgement {
    if (this.#timeouts >= MAX_TIMEOUTS) return undefined;
    try {
      return this.#judge(value);
    } catch (error) {
      if (isTimeout(error)) this.#timeouts += 1;
      return undefined;
    }
  }

  #judge(value: unknown): Judgement {
    const size = sizeOfArguments(value);
    if (size === undefined) return undefined;
    const { maxParts, maxCharacters } = this.#quickness;
    const isQuick = size.nodes <= maxParts && size.characters <= maxCharacters;
    return isQuick ? this.#explain(value) : this.#timeLimit.run(() => this.#explain(value));
  }

  #explain(value: unknown): readonly Finding[] {
    const { schema, definitions } = this.#schema;
    return explain(schema, value, { definitions, limit: MAX_FINDINGS });
  }
}
