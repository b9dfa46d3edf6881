import { cutOutsideSecrets } from '../../../../redaction/cut-outside-secrets.ts';

/** One turn of a conversation, in the form of the bundle. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly at?: string;
}

/** The conversation of a bundle, as an extractor gives it. */
export interface ExtractedConversation {
  fidelity: 'L2' | 'L3';
  summary: string;
  /** The number of turns from which the summary and the turns here are taken. */
  summary_through_message: number;
  last_n_turns: Turn[];
  source_transcript_uri?: string;
}

const MAX_TURN_CHARS = 4_000;
const MAX_ALL_CHARS = 64_000;
const MAX_SUMMARY_CHARS = 2_000;
const MAX_EXCERPT_CHARS = 400;
const EXTRACTED = /^(Asked first|Last answer): /;

export interface ConversationFacts {
  readonly turns: readonly Turn[];
  /** The summary that the agent itself wrote, if any. */
  readonly summary?: string | undefined;
  readonly keep: number;
  readonly fidelity: 'L2' | 'L3';
  readonly transcript?: string | undefined;
}

/** Returns the last turns within bounds, with a summary; `undefined` if nothing was said. */
export function conversationOf(facts: ConversationFacts): ExtractedConversation | undefined {
  const turns = joined(facts.turns);
  if (turns.length === 0 && facts.summary === undefined) return undefined;
  return {
    fidelity: facts.fidelity,
    summary: cutOutsideSecrets(facts.summary ?? summaryOf(turns), MAX_SUMMARY_CHARS),
    summary_through_message: turns.length,
    last_n_turns: lastTurns(turns, facts.keep),
    ...(facts.transcript !== undefined && { source_transcript_uri: facts.transcript }),
  };
}

/** Joins the pieces in which agents write one answer. */
function joined(turns: readonly Turn[]): Turn[] {
  const result: Turn[] = [];
  for (const turn of turns) {
    const last = result.at(-1);
    if (last?.role === turn.role) {
      result[result.length - 1] = { ...last, content: `${last.content}\n\n${turn.content}` };
    } else {
      result.push(turn);
    }
  }
  return result;
}

function lastTurns(turns: readonly Turn[], keep: number): Turn[] {
  const kept: Turn[] = [];
  let room = MAX_ALL_CHARS;
  for (const turn of turns.slice(-keep).reverse()) {
    const content = cutOutsideSecrets(turn.content, MAX_TURN_CHARS);
    room -= content.length;
    if (room < 0) break;
    kept.unshift({ ...turn, content });
  }
  return keep === 0 ? [] : kept;
}

/** Returns whether a summary was put together by us, not written by a model. */
export function isExtractedSummary(summary: unknown): boolean {
  return typeof summary === 'string' && EXTRACTED.test(summary);
}

/** Returns a summary out of excerpts: the first and the last question, and the last answer. */
function summaryOf(turns: readonly Turn[]): string {
  const asked = turns.filter(({ role }) => role === 'user');
  const answer = turns.findLast(({ role }) => role === 'assistant');
  const first = asked[0];
  const last = asked.length > 1 ? asked.at(-1) : undefined;
  return [
    ...(first === undefined ? [] : [`Asked first: ${excerpt(first.content)}`]),
    ...(last === undefined ? [] : [`Asked last: ${excerpt(last.content)}`]),
    ...(answer === undefined ? [] : [`Last answer: ${excerpt(answer.content)}`]),
  ].join('\n');
}

function excerpt(text: string): string {
  return cutOutsideSecrets(text.replace(/\s+/g, ' ').trim(), MAX_EXCERPT_CHARS);
}
