/** More than so many lines are not looked through. */
const MAX_LINES = 20_000;
const MAX_CANDIDATES = 3;
const LONGEST_SHOWN = 160;
/** How much of a text must be there for it to be a candidate. */
const LEAST_SCORE = 0.35;

interface Candidate {
  /** The first line, counted from 1. */
  readonly line: number;
  readonly score: number;
}

/** Where in a text something like the wanted lines stands: the best places, each as line numbers and what is there. */
export function nearestLines(text: string, wanted: string): string[] {
  const lines = text.split(/\r?\n/);
  const goal = wanted.split(/\r?\n/);
  if (goal.length > 1 && goal.at(-1) === '') goal.pop();
  if (lines.length > MAX_LINES) return [];
  return bestOf(scored(lines, goal), goal.length).map(({ line }) => shown(lines, line, goal.length));
}

function scored(lines: readonly string[], goal: readonly string[]): Candidate[] {
  const [goals, all] = [goal.map(pairsOf), lines.map(pairsOf)];
  // Each line is held against the one in its place; the longest window that fits into the text is the text itself.
  const last = Math.max(0, lines.length - goal.length);
  const candidates: Candidate[] = [];
  const total = goals.reduce((sum, pairs) => sum + pairs.size + 1, 0);
  for (let start = 0; start <= last; start++) {
    let sum = 0;
    for (const [index, pairs] of goals.entries()) sum += likeness(pairs, all[start + index]) * (pairs.size + 1);
    const score = sum / total;
    if (score >= LEAST_SCORE) candidates.push({ line: start + 1, score });
  }
  return candidates.sort((a, b) => b.score - a.score || a.line - b.line);
}

function bestOf(candidates: readonly Candidate[], height: number): Candidate[] {
  const best: Candidate[] = [];
  for (const candidate of candidates) {
    if (best.length === MAX_CANDIDATES) break;
    if (best.every(({ line }) => Math.abs(line - candidate.line) >= height)) best.push(candidate);
  }
  return best;
}

/** The pairs of neighbouring characters in a line; spaces do not count, as they are what most often differs. */
function pairsOf(line: string): ReadonlySet<string> {
  const plain = line.replaceAll(/\s+/g, '').slice(0, 500);
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, index) => plain.slice(index, index + 2)));
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string> | undefined): number {
  if (other === undefined) return 0;
  if (one.size + other.size === 0) return 1;
  let common = 0;
  for (const pair of one) if (other.has(pair)) common++;
  return (2 * common) / (one.size + other.size);
}

function shown(lines: readonly string[], line: number, height: number): string {
  const part = lines.slice(line - 1, line - 1 + Math.min(height, 6));
  const texts = part.map((text, index) => `${line + index}| ${text.slice(0, LONGEST_SHOWN)}`);
  return texts.join('\n');
}
