import { CODE_PROBES, WORD_PROBES } from './code-and-words.ts';
import { LOGIC_PROBES } from './logic.ts';
import { MATH_PROBES } from './math.ts';
import type { Probe } from './probe.ts';
import { REASON_PROBES } from './reason.ts';

/** All probes, in the order in which they run. */
export const PROBES: readonly Probe[] = [
  ...MATH_PROBES,
  ...LOGIC_PROBES,
  ...REASON_PROBES,
  ...CODE_PROBES,
  ...WORD_PROBES,
];

export const CATEGORIES: readonly string[] = [...new Set(PROBES.map(({ category }) => category))];

/** Stands behind each prompt. */
const FORM =
  'Think as long as you need to. End with one line that begins with "Answer:" and has nothing but the answer.';

/** Returns the text of a probe as a model gets it. */
export function promptOf({ prompt }: Probe): string {
  return `${prompt}\n\n${FORM}`;
}
