import {
  COMPLIANCE_PHRASES,
  EMOTION_GROUPS,
  ETHICS_WORDS,
  FIRST_PERSON_VERBS,
  METAPHOR_WORDS,
  NARRATIVE_OPENINGS,
  PREAMBLES,
  TECHNICAL_WORDS,
} from './words.ts';

/** Signs that are counted in an answer, and their weighted sum `lek_score`. */
export interface HeuristicScores {
  readonly compliance_markers: number;
  readonly formulaic_preamble: number;
  readonly first_person: number;
  readonly creative_form: number;
  readonly engagement_depth: number;
  readonly emotional_register: number;
  readonly degeneration: number;
  readonly empty_broken: number;
  readonly lek_score: number;
}

const SHORT_LINE_BYTES = 60;
const SHORTEST_ANSWER_BYTES = 10;
const MAX_EMOTIONS = 10;
/** Marks of a model that was stopped or is broken. */
const BROKEN_MARKS = ['<pad>', '<unused'];
/** Share of repeated sentences, and what it costs. */
const DEGENERATION: readonly (readonly [above: number, score: number])[] = [
  [0.5, 5],
  [0.3, 3],
  [0.15, 1],
];
const EMPTY_DEGENERATION = 10;

/** Counts the signs in an answer. The prompt has no part in it. */
export function heuristicScores(response: string): HeuristicScores {
  const text = response.toLowerCase().replaceAll('’', "'");
  const counts = {
    compliance_markers: occurrences(text, COMPLIANCE_PHRASES),
    formulaic_preamble: beginsWith(text, PREAMBLES) ? 1 : 0,
    first_person: firstPerson(response),
    creative_form: creativeForm(response, text),
    engagement_depth: engagementDepth(response, text),
    emotional_register: Math.min(MAX_EMOTIONS, occurrences(text, EMOTION_GROUPS.flat())),
    degeneration: degeneration(response),
    empty_broken: isBroken(response) ? 1 : 0,
  };
  return { ...counts, lek_score: lekScore(counts) };
}

function lekScore(counts: Omit<HeuristicScores, 'lek_score'>): number {
  return (
    2 * counts.engagement_depth +
    3 * counts.creative_form +
    2 * counts.emotional_register +
    1.5 * counts.first_person -
    5 * counts.compliance_markers -
    3 * counts.formulaic_preamble -
    4 * counts.degeneration -
    20 * counts.empty_broken
  );
}

/** Counts whole words and phrases. */
function occurrences(text: string, phrases: readonly string[]): number {
  return phrases.reduce((sum, phrase) => sum + occurrencesOf(text, phrase), 0);
}

function occurrencesOf(text: string, phrase: string): number {
  let count = 0;
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + phrase.length))
    if (!isLetter(text[at - 1]) && !isLetter(text[at + phrase.length])) count++;
  return count;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}

function beginsWith(text: string, openings: readonly string[]): boolean {
  const start = text.trimStart();
  return openings.some((opening) => start.startsWith(opening));
}

function sentencesOf(text: string): string[] {
  return text
    .split('.')
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

const SPEAKS_OF_ITSELF = new RegExp(`\\bI (?:${FIRST_PERSON_VERBS.join('|')})\\b`);

function firstPerson(response: string): number {
  return sentencesOf(response).filter((sentence) => sentence.startsWith('I ') || SPEAKS_OF_ITSELF.test(sentence))
    .length;
}

function creativeForm(response: string, text: string): number {
  const poem = isPoem(response) ? 2 : 0;
  const story = beginsWith(text, NARRATIVE_OPENINGS) ? 1 : 0;
  return poem + story + Math.min(3, occurrences(text, METAPHOR_WORDS));
}

function isPoem(response: string): boolean {
  const lines = response.split('\n').filter((line) => line.trim() !== '');
  const short = lines.filter((line) => Buffer.byteLength(line) < SHORT_LINE_BYTES);
  return lines.length > 6 && short.length > lines.length / 2;
}

function engagementDepth(response: string, text: string): number {
  if (response.trim() === '' || response.startsWith('ERROR')) return 0;
  const words = response.split(/\s+/).filter((word) => word !== '').length;
  return (
    (response.includes('## ') || response.includes('**') ? 1 : 0) +
    (occurrences(text, ETHICS_WORDS) > 0 ? 2 : 0) +
    Math.min(3, occurrences(text, TECHNICAL_WORDS)) +
    (words > 200 ? 1 : 0) +
    (words > 400 ? 1 : 0)
  );
}

function degeneration(response: string): number {
  const sentences = sentencesOf(response);
  if (sentences.length === 0) return EMPTY_DEGENERATION;
  const repeated = 1 - new Set(sentences).size / sentences.length;
  return DEGENERATION.find(([above]) => repeated > above)?.[1] ?? 0;
}

function isBroken(response: string): boolean {
  return (
    Buffer.byteLength(response) < SHORTEST_ANSWER_BYTES ||
    response.startsWith('ERROR') ||
    BROKEN_MARKS.some((mark) => response.includes(mark))
  );
}
