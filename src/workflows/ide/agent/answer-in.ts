import { isObject } from '../../../core/json/as-object.ts';
import { cleanText, cutText } from '../../../core/text/clean-text.ts';
import { parsed } from '../../../services/service-words.ts';
import type { AgentOptions } from './options.ts';

/** Report of an agent, as far as it has come. */
export interface AgentReport {
  readonly answer: string | undefined;
  /** In US dollars. */
  readonly cost: number | undefined;
  /** The agent's words on its failure, on one line. */
  readonly error: string | undefined;
}

type Places = Pick<AgentOptions, 'answerAt' | 'errorAt' | 'costAt' | 'where'>;

const MAX_ERROR = 300;
const NOTHING: AgentReport = { answer: undefined, cost: undefined, error: undefined };

/**
 * Reads all that an agent wrote to standard output.
 * @returns the report, or `undefined` if the format is `json` and it wrote something else
 */
export function readAnswer(output: string, options: Pick<AgentOptions, 'format'> & Places): AgentReport | undefined {
  if (options.format === 'text') return { ...NOTHING, answer: output.trim() };
  if (options.format === 'jsonl')
    return output.split('\n').reduce((report, line) => withLine(report, line, options), NOTHING);
  const value = parsed(output);
  return isObject(value) ? reportOf(value, options) : undefined;
}

/** Reads the cost that a line of an agent's output reports, in US dollars. */
export function costIn(line: string, { costAt }: Pick<Places, 'costAt'>): number | undefined {
  const cost = valueAt(parsed(line), costAt);
  return typeof cost === 'number' ? cost : undefined;
}

/** Adds a line to a report. A line that is no JSON, such as a warning, is passed over. */
function withLine(before: AgentReport, line: string, places: Places): AgentReport {
  const value = parsed(line);
  if (!isObject(value)) return before;
  const { answer, cost, error } = reportOf(value, places);
  const counts = Object.entries(places.where).every(([at, wanted]) => valueAt(value, at) === wanted);
  return {
    answer: counts ? (answer ?? before.answer) : before.answer,
    cost: cost ?? before.cost,
    error: error ?? before.error,
  };
}

function reportOf(value: unknown, { answerAt, errorAt, costAt }: Places): AgentReport {
  const answer = valueAt(value, answerAt);
  const cost = valueAt(value, costAt);
  const error = valueAt(value, errorAt);
  return {
    answer: typeof answer === 'string' ? answer.trim() : undefined,
    cost: typeof cost === 'number' ? cost : undefined,
    // Some agents say only that they have failed, and give their words as the answer.
    error: isNothing(error) ? undefined : words(error === true ? (answer ?? 'it has failed') : error),
  };
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '';
}

function words(value: unknown): string {
  const said = isObject(value) && typeof value.message === 'string' ? value.message : value;
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  return cutText(cleanText(text).replace(/\s+/g, ' ').trim(), MAX_ERROR);
}

function valueAt(value: unknown, place: string | undefined): unknown {
  if (place === undefined) return undefined;
  let found = value;
  for (const name of place.split('.')) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return found;
}
