import { analyse } from 'scslre';
import { type Attack, attacksOn, attackText } from './attacks.ts';
import { countSteps } from './count-steps.ts';
import { compile, type Program, parsePattern } from './program.ts';

/** With fewer steps for each character, the longest text is not tried: the steps cannot depend on its length. */
const FEW_STEPS = 12;
/** More steps for each character are refused, even where they do not grow with the text. */
const MAX_STEPS = 400;
/** How often an attack is repeated. The last two are beyond `LARGEST_BOUND`, where bounded repetitions have reached their bounds. */
const COUNTS = [24, 48, 96, 192, 384, 768];
/** In a text of twice the length, the steps for each character double for a quadratic pattern and stay the same for a linear one. */
const MIN_GROWTH = 1.15;

/**
 * Returns why matching a pattern can take more time than in proportion to the length of the text, or `undefined` where it
 * cannot. First `scslre` looks for ambiguous repetitions. It does not find a repetition after a beginning that it can contain
 * (`/ab[^c]*c/` in "abababab…"), so the pattern also runs on longer and longer texts while its steps are counted.
 * @throws SyntaxError when it is no regular expression
 */
export function examinePattern(source: string, flags: string): string | undefined {
  return ambiguity(source, flags) ?? growth(source, flags);
}

/** `scslre` does not know the flag `v`. */
function ambiguity(source: string, flags: string): string | undefined {
  if (flags.includes('v')) return undefined;
  const [report] = analyse({ source, flags }).reports;
  if (report === undefined) return undefined;
  const degree = report.exponential ? 'exponential' : 'super-linear';
  return `${degree}: scslre finds an ambiguous repetition of ${JSON.stringify(report.character.pick)}`;
}

/** Runs the pattern on attacks, and names the one on which the steps grow faster than the text. */
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

/** Returns the steps for each character; infinite where they reach the limit. */
function stepsEach(program: Program, attack: Attack, count: number): number {
  const text = attackText(attack, attack.least + count);
  const { steps, isCut } = countSteps(program, text, 2 * MAX_STEPS * text.length);
  return isCut ? Number.POSITIVE_INFINITY : steps / text.length;
}

function shown({ before, pumped, after }: Attack): string {
  return `${JSON.stringify(before)} + ${JSON.stringify(pumped)} × n + ${JSON.stringify(after)}`;
}
