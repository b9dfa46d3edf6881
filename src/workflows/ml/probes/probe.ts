import type { Check } from './checks.ts';

/** A question with a known answer, which shows one ability of a model. */
export interface Probe {
  readonly id: string;
  readonly category: string;
  readonly prompt: string;
  /** The answer for people; `check` decides. */
  readonly expected: string;
  readonly check: Check;
}
