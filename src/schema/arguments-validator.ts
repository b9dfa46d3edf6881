import { fingerprint } from '../core/json/canonical.ts';
import { pathText } from './examine/wording.ts';
import { MAX_BYTES } from './measure.ts';
import { RecentCache } from './recent-cache.ts';
import { sanitiseSchema } from './sanitise.ts';
import { type Judgement, SchemaJudge } from './schema-judge.ts';
import { TimeLimit } from './time-limit.ts';

export interface Problem {
  /** Like `files[0].path`; `''` for the arguments as a whole. */
  readonly path: string;
  readonly message: string;
}

export interface Verdict {
  /** `unchecked`: the schema could not be used, or checking took too long. */
  readonly outcome: 'valid' | 'invalid' | 'unchecked';
  /** At most ten; none unless the outcome is `invalid`. */
  readonly problems: readonly Problem[];
}

const VALID: Verdict = { outcome: 'valid', problems: [] };
const UNCHECKED: Verdict = { outcome: 'unchecked', problems: [] };

interface ArgumentsValidatorOptions {
  /** Schemas kept in reduced form; the ones used last stay. */
  readonly maxCached?: number;
  /** Time for a check that could hang, in milliseconds. */
  readonly limitMs?: number;
}

/**
 * Holds the arguments of a call against the input schema of its tool. It rejects nothing that the schema accepts;
 * whenever in doubt, the arguments pass. Schemas are reduced at their first check.
 */
export class ArgumentsValidator {
  readonly #limitMs: number;
  readonly #byText: RecentCache<SchemaJudge | 'unusable'>;
  /** Schemas that differ only in what we leave out, such as a default with the time of day in it, share their judge. */
  readonly #byFingerprint: RecentCache<SchemaJudge>;
  #timeLimit: TimeLimit | undefined;

  constructor({ maxCached = 500, limitMs = 50 }: ArgumentsValidatorOptions = {}) {
    this.#limitMs = limitMs;
    this.#byText = new RecentCache(maxCached);
    this.#byFingerprint = new RecentCache(maxCached);
  }

  /** The number of schemas that are kept at the moment. */
  get cached(): number {
    return this.#byText.size;
  }

  /** Returns the verdict on arguments as `JSON.parse` gives them; they are not changed. Never throws. */
  check(schemaText: string, args: unknown): Verdict {
    try {
      const judge = this.#judgeOf(schemaText);
      return judge === 'unusable' ? UNCHECKED : verdictOf(judge.judge(args));
    } catch {
      return UNCHECKED; // a fault of ours must not cost a call
    }
  }

  #judgeOf(schemaText: string): SchemaJudge | 'unusable' {
    const known = this.#byText.get(schemaText);
    if (known !== undefined) return known;
    if (schemaText.length > MAX_BYTES) return 'unusable'; // not worth a place in the cache
    const judge = this.#newJudge(schemaText);
    this.#byText.set(schemaText, judge);
    return judge;
  }

  #newJudge(schemaText: string): SchemaJudge | 'unusable' {
    const schema = parsed(schemaText);
    const sanitised = sanitiseSchema(schema);
    if (schema === undefined || !sanitised.isUsable) return 'unusable';
    const key = fingerprint([sanitised.schema, [...sanitised.definitions]]);
    const known = this.#byFingerprint.get(key);
    if (known !== undefined) return known;
    this.#timeLimit ??= new TimeLimit(this.#limitMs);
    const judge = new SchemaJudge(sanitised, this.#timeLimit);
    this.#byFingerprint.set(key, judge);
    return judge;
  }
}

/** Returns one block of text for the caller; best for a model, which can then correct the call. */
export function describeProblems(tool: string, problems: readonly Problem[]): string {
  const lines = problems.map(({ message }) => `- ${message}`);
  return [`The arguments do not fit the input schema of ${pathText([tool])}:`, ...lines].join('\n');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function verdictOf(judgement: Judgement): Verdict {
  if (judgement === undefined) return UNCHECKED;
  if (judgement.length === 0) return VALID;
  const problems = judgement.map(({ path, message }) => ({ path: pathText(path), message }));
  return { outcome: 'invalid', problems };
}
