import type { Scene } from './scene.ts';

/** One fault that must be survived: how it is made, and what must hold. */
export interface Fault {
  /** Short and stable: letters of the kind, then words, such as `R-crash-mid-call`. */
  readonly id: string;
  /** The fault, in one line. */
  readonly what: string;
  /** The behaviour that users still get, in one line. */
  readonly holds: string;
  /** Part of the quick half (`--quick`), which CI runs: each takes a few seconds at most. */
  readonly quick?: boolean;
  /** Measures memory or time: nothing else runs meanwhile. */
  readonly exclusive?: boolean;
  /** Milliseconds after which it has failed; a minute where absent. */
  readonly limitMs?: number;
  /** Platforms on which it means something; all where absent. */
  readonly platforms?: readonly NodeJS.Platform[];
  /** Makes the fault and checks what must hold; throws (an assertion) where it does not. */
  run(scene: Scene): Promise<void>;
}

export const DEFAULT_LIMIT_MS = 60_000;

/** The outcome of one fault. */
export interface Outcome {
  readonly fault: Pick<Fault, 'id' | 'what' | 'holds'>;
  readonly ms: number;
  /** The output of the gateways; absent for faults that are checked after all scenes. */
  readonly folder?: string;
  /** Why it failed; absent where it was survived. */
  readonly failure?: string;
}

/** The same as a part of the quick half. */
export const quick = (fault: Fault): Fault => ({ ...fault, quick: true });
