import { isObject } from '../../../core/json/as-object.ts';
import type { JsonObject } from '../../../core/stores/checkpoint-store.ts';
import { objectOf, without } from './json.ts';
import { FIDELITIES, type Fidelity, type FidelityReport } from './schema.ts';
import { summaryOf } from './summary.ts';

/** The parts for a client that gets no conversation at all: the state of the work. */
const NOT_AT_L0 = ['instructions', 'memories', 'specs', 'conversation', 'workspace', 'attachments'] as const;
const INTERNAL = new Set(['_counters']);
/** Turns that L2 has: the last ones, and of them the texts. */
const MAX_TURNS = 20;

type Block = JsonObject & { readonly type: string };
type Turn = JsonObject & { readonly content: string | readonly Block[] };

/** Returns the lesser of two. */
export function lesserFidelity(a: Fidelity, b: Fidelity): Fidelity {
  return FIDELITIES.indexOf(a) < FIDELITIES.indexOf(b) ? a : b;
}

/** Returns the fidelity that the bundle offers: that of its source, or more if more is there. */
export function producedFidelity(bundle: JsonObject): Fidelity {
  const conversation = objectOf(bundle.conversation);
  const declared = FIDELITIES.find((level) => level === conversation.fidelity) ?? 'L0';
  const found = foundFidelity(bundle, conversation);
  return lesserFidelity(declared, found) === declared ? found : declared;
}

/** Returns the bundle as a client gets it that can use `level`, and what was left out. */
export function atFidelity(
  bundle: JsonObject,
  level: Fidelity,
): { readonly bundle: JsonObject; readonly fidelity: FidelityReport } {
  const produced = producedFidelity(bundle);
  const delivered = lesserFidelity(produced, level);
  const leftOut: string[] = [];
  const whole = without(bundle, INTERNAL);
  const trimmed = level === 'L0' ? atL0(whole, leftOut) : withConversation(whole, level, leftOut);
  return { bundle: trimmed, fidelity: { delivered, produced, consumable: level, left_out: leftOut } };
}

function foundFidelity(bundle: JsonObject, conversation: JsonObject): Fidelity {
  const turns = turnsOf(conversation);
  if (turns.length > MAX_TURNS || turns.some(hasOtherThanText)) return 'L3';
  if (turns.length > 0) return 'L2';
  const hasMoreThanWork = NOT_AT_L0.some((field) => hasContent(bundle[field]));
  return hasMoreThanWork || summaryOf(bundle) !== '' ? 'L1' : 'L0';
}

function atL0(bundle: JsonObject, leftOut: string[]): JsonObject {
  leftOut.push(...NOT_AT_L0.filter((field) => hasContent(bundle[field])));
  return without(bundle, new Set(NOT_AT_L0));
}

function withConversation(bundle: JsonObject, level: Fidelity, leftOut: string[]): JsonObject {
  const conversation = withSummary(objectOf(bundle.conversation), bundle);
  if (Object.keys(conversation).length === 0) return bundle;
  return { ...bundle, conversation: trimConversation(conversation, level, leftOut) };
}

/** Marked as made up, so that it does not come back as the client's own and grow stale. */
function withSummary(conversation: JsonObject, bundle: JsonObject): JsonObject {
  if (hasContent(conversation.summary)) return conversation;
  const summary = summaryOf(bundle);
  return summary === '' ? conversation : { ...conversation, summary, summary_generated: true };
}

function trimConversation(conversation: JsonObject, level: Fidelity, leftOut: string[]): JsonObject {
  if (level === 'L3') return conversation;
  const { source_transcript_uri: uri, last_n_turns: all, ...kept } = conversation;
  if (hasContent(uri)) leftOut.push('conversation.source_transcript_uri');
  const labelled = withLabel(kept, level);
  if (level === 'L2')
    return all === undefined ? labelled : { ...labelled, last_n_turns: textTurns(conversation, leftOut) };
  if (hasContent(all)) leftOut.push('conversation.last_n_turns');
  return labelled;
}

function withLabel(conversation: JsonObject, level: Fidelity): JsonObject {
  const declared = FIDELITIES.find((known) => known === conversation.fidelity);
  return declared === undefined ? conversation : { ...conversation, fidelity: lesserFidelity(declared, level) };
}

/** Returns the last turns with what was said in them; calls of tools and their results stay behind. */
function textTurns(conversation: JsonObject, leftOut: string[]): readonly Turn[] {
  const turns = turnsOf(conversation);
  const last = turns.slice(-MAX_TURNS);
  if (last.length < turns.length) leftOut.push(`conversation.last_n_turns (all but the last ${MAX_TURNS})`);
  if (last.some(hasOtherThanText)) leftOut.push('conversation.last_n_turns (all but texts)');
  return last.map(textOnly).filter(({ content }) => content.length > 0);
}

function textOnly(turn: Turn): Turn {
  if (typeof turn.content === 'string') return turn;
  return { ...turn, content: turn.content.filter(({ type }) => type === 'text') };
}

function hasOtherThanText({ content }: Turn): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type !== 'text');
}

function turnsOf(conversation: JsonObject): readonly Turn[] {
  return (conversation.last_n_turns ?? []) as readonly Turn[];
}

function hasContent(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : value !== undefined && value !== null;
}
