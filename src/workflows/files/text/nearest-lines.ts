/** The number of lines above which no similar text is looked for. */
const MAX_LINES = 50_000;
/** The limit on comparisons of a wanted line with one of the text: all other work waits meanwhile. */
const MAX_LOOKS = 40_000;
const MAX_CANDIDATES = 3;
/** The number of characters of a line that are compared, and shown. */
const LONGEST_LINE = 160;
/** The share of a text that must match for it to be a candidate. */
const LEAST_SCORE = 0.35;

interface Candidate {
  /** The first line, counted from 1. */
  readonly line: number;
  readonly score: number;
}

/** A wanted line without its spaces, as those are what most often differs. */
interface Wanted {
  /** The index of the wanted line. */
  readonly index: number;
  readonly plain: string;
  /** The pairs of neighbouring characters in it. */
  readonly pairs: ReadonlySet<number>;
}

/** Returns the places in a text most similar to the wanted lines, each with line numbers and its text. */
export function nearestLines(text: string, wanted: string): string[] {
  const lines = text.split(/\r?\n/);
  const goal = wanted.split(/\r?\n/);
  if (goal.length > 1 && goal.at(-1) === '') goal.pop();
  if (lines.length > MAX_LINES) return [];
  return bestOf(scored(lines, goal), goal.length).map(({ line }) => shown(lines, line, goal.length));
}

function scored(lines: readonly string[], goal: readonly string[]): Candidate[] {
  const looks = Math.max(1, Math.floor(MAX_LOOKS / lines.length));
  const [goals, all] = [longestOf(goal, looks), lines.map(plainOf)];
  // Each line is held against the one in its place; the longest window that fits into the text is the text itself.
  const last = Math.max(0, lines.length - goal.length);
  const candidates: Candidate[] = [];
  const total = goals.reduce((sum, { pairs }) => sum + pairs.size + 1, 0);
  for (let start = 0; start <= last; start++) {
    let sum = 0;
    for (const one of goals) sum += likeness(one, all[start + one.index]) * (one.pairs.size + 1);
    const score = sum / total;
    if (score >= LEAST_SCORE) candidates.push({ line: start + 1, score });
  }
  return candidates.sort((a, b) => b.score - a.score || a.line - b.line);
}

/** Long lines tell places apart best. */
function longestOf(goal: readonly string[], most: number): Wanted[] {
  return goal
    .map((line, index) => ({ index, plain: plainOf(line) }))
    .sort((a, b) => b.plain.length - a.plain.length)
    .slice(0, most)
    .map(({ index, plain }) => ({ index, plain, pairs: pairsOf(plain) }));
}

function bestOf(candidates: readonly Candidate[], height: number): Candidate[] {
  const best: Candidate[] = [];
  for (const candidate of candidates) {
    if (best.length === MAX_CANDIDATES) break;
    if (best.every(({ line }) => Math.abs(line - candidate.line) >= height)) best.push(candidate);
  }
  return best;
}

function plainOf(line: string): string {
  return line
    .slice(0, 2 * LONGEST_LINE)
    .replaceAll(/\s+/g, '')
    .slice(0, LONGEST_LINE);
}

function pairsOf(plain: string): ReadonlySet<number> {
  const pairs = new Set<number>();
  for (let at = 1; at < plain.length; at++) pairs.add(plain.charCodeAt(at - 1) * 0x10000 + plain.charCodeAt(at));
  return pairs;
}

function likeness({ plain, pairs }: Wanted, line: string | undefined): number {
  if (line === undefined) return 0;
  if (line === plain) return 1;
  const others = pairsOf(line);
  let common = 0;
  for (const pair of others) if (pairs.has(pair)) common++;
  return (2 * common) / (pairs.size + Math.max(1, others.size));
}

function shown(lines: readonly string[], line: number, height: number): string {
  const part = lines.slice(line - 1, line - 1 + Math.min(height, 6));
  const texts = part.map((text, index) => `${line + index}| ${text.slice(0, LONGEST_LINE)}`);
  return texts.join('\n');
}
