import { analyse } from 'scslre';
import { type Attack, attacksOn, attackText } from './attacks.ts';
import { countSteps } from './count-steps.ts';
import { compile, type Program, parsePattern } from './program.ts';

/** Steps for each character that need no closer look: where they are fewer, they do not depend on the length of the text. */
const FEW_STEPS = 12;
/** Steps for each character that are too many, however long the text is. */
const MAX_STEPS = 400;
/** How often an attack is repeated, the last two beyond `LARGEST_BOUND`: by then, bounded repetitions have come to their ends. */
const COUNTS = [24, 48, 96, 192, 384, 768];
/** With twice the length, the steps for each character double where a pattern is quadratic, and stay where it is linear. */
const MIN_GROWTH = 1.15;

/**
 * Says why matching a pattern may take more time than in proportion to the text; `undefined` where nothing speaks for it.
 * An analyser looks for ambiguous parts; then the pattern is run on texts that are made longer and longer, and steps are counted.
 */
export function examinePattern(source: string, flags: string): string | undefined {
  return ambiguity(source, flags) ?? growth(source, flags);
}

/** What the analyser `scslre` finds; it does not know the flag `v`. */
function ambiguity(source: string, flags: string): string | undefined {
  if (flags.includes('v')) return undefined;
  const [report] = analyse({ source, flags }).reports;
  if (report === undefined) return undefined;
  const degree = report.exponential ? 'exponential' : 'super-linear';
  return `${degree}: scslre finds an ambiguous repetition of ${JSON.stringify(report.character.pick)}`;
}

/** What grows faster than the text when it is run. */
function growth(source: string, flags: string): string | undefined {
  const pattern = parsePattern(source, flags);
  const program = compile(pattern, flags);
  for (const attack of attacksOn(pattern, flags)) {
    const figures: number[] = [];
    for (const count of COUNTS) {
      figures.push(stepsEach(program, attack, count));
      const [before = 0, now] = figures.slice(-2);
      if (now === undefined ? before <= FEW_STEPS : now <= before * MIN_GROWTH) break;
    }
    const last = figures.at(-1)!;
    const isGrowing = figures.length === COUNTS.length || last === Number.POSITIVE_INFINITY;
    if (!isGrowing && last <= MAX_STEPS) continue;
    const shownFigures = figures.map((steps, index) => `${Math.round(steps)} at ${COUNTS[index]}`).join(', ');
    return `${isGrowing ? 'super-linear' : 'costly'}: steps for each character of ${shown(attack)}: ${shownFigures}`;
  }
  return undefined;
}

/** Steps for each character; infinite where they are far too many. */
function stepsEach(program: Program, attack: Attack, count: number): number {
  const text = attackText(attack, attack.least + count);
  const { steps, isCut } = countSteps(program, text, 2 * MAX_STEPS * text.length);
  return isCut ? Number.POSITIVE_INFINITY : steps / text.length;
}

function shown({ before, pumped, after }: Attack): string {
  return `${JSON.stringify(before)} + ${JSON.stringify(pumped)} × n + ${JSON.stringify(after)}`;
}
