import { setMaxListeners } from 'node:events';
import PQueue from 'p-queue';
import { GatewayError } from '../../../core/errors.ts';
import type { Generation } from '../../../core/settings/model-backends.ts';
import { cutText } from '../../../core/text/clean-text.ts';
import type { Probe } from './probe.ts';

/** The number of failures without a response after which a backend is given up. */
const HOPELESS = 3;

/**
 * The largest number of characters of a response that are kept. Far more than a model may write, but some services
 * respect no limit.
 */
const LONGEST = 50_000;

/** Outcome of one probe. */
export interface ProbeResult {
  readonly id: string;
  readonly category: string;
  /** The model's text, or `error: ` and why there is none. */
  readonly response: string;
  readonly expected: string;
  readonly passed: boolean;
  /** From the request to the end of the answer, with the time that it waited for its turn. */
  readonly durationMs: number;
}

export interface ProbeRun {
  readonly probes: readonly Probe[];
  /** The largest number of them that are asked at one time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly ask: (probe: Probe, signal: AbortSignal) => Promise<Pick<Generation, 'text'>>;
  /** Called with each probe that has ended, and the number that have ended. */
  readonly onResult: (result: ProbeResult, done: number) => void;
}

/**
 * Asks a model all probes.
 * @returns the results in the order of the probes
 * @throws GatewayError if no probe was answered; the reason of `signal` when that is aborted
 */
export async function runProbes({ probes, concurrency, signal, ask, onResult }: ProbeRun): Promise<ProbeResult[]> {
  const hopeless = new AbortController();
  const either = AbortSignal.any([signal, hopeless.signal]);
  // Each probe listens to both, and no longer than it runs.
  setMaxListeners(0, signal, either);
  const turns = new PQueue({ concurrency });
  const failures: GatewayError[] = [];
  let done = 0;
  const one = async (probe: Probe) => {
    const { result, error } = await outcomeOf(probe, () => ask(probe, either)).catch((fault: unknown) => {
      // The results of the others are no longer needed.
      hopeless.abort(fault);
      throw fault;
    });
    done++;
    if (error !== undefined) failures.push(error);
    if (failures.length === done && done === Math.min(HOPELESS, probes.length)) hopeless.abort(failures[0]);
    onResult(result, done);
    return result;
  };
  const results = await Promise.all(probes.map((probe) => turns.add(() => one(probe), { signal: either })));
  either.throwIfAborted();
  return results;
}

async function outcomeOf(
  { id, category, expected, check }: Probe,
  ask: () => Promise<Pick<Generation, 'text'>>,
): Promise<{ readonly result: ProbeResult; readonly error?: GatewayError }> {
  const start = performance.now();
  const outcome = (response: string, passed: boolean) => {
    const durationMs = Math.round(performance.now() - start);
    return { id, category, response, expected, passed, durationMs };
  };
  try {
    const { text } = await ask();
    return { result: outcome(cutText(text, LONGEST), check(text)) };
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code === 'CALL_CANCELLED') throw error;
    return { result: outcome(`error: ${error.message}`, false), error };
  }
}
