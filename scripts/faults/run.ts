import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_LIMIT_MS, type Fault, type Outcome } from './fault.ts';
import { Scene } from './scene.ts';

export interface RunOptions {
  /** How many faults are made at a time; exclusive ones come after all others, one by one. */
  readonly atATime: number;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** Makes all faults that mean something on this platform. The outcomes come in the order of the faults. */
export async function runFaults(faults: readonly Fault[], options: RunOptions): Promise<Outcome[]> {
  const here = faults.filter(({ platforms }) => platforms === undefined || platforms.includes(process.platform));
  const outcomes = new Map<Fault, Outcome>();
  const takeFrom = async (queue: Fault[]) => {
    for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
      const outcome = await runFault(fault);
      outcomes.set(fault, outcome);
      options.onOutcome(outcome);
    }
  };
  const shared = here.filter((fault) => fault.exclusive !== true);
  await Promise.all(Array.from({ length: options.atATime }, () => takeFrom(shared)));
  await takeFrom(here.filter((fault) => fault.exclusive === true));
  return here.map((fault) => outcomes.get(fault)!);
}

async function runFault(fault: Fault): Promise<Outcome> {
  const scene = new Scene();
  const started = performance.now();
  let failure: string | undefined;
  try {
    await within(fault.limitMs ?? DEFAULT_LIMIT_MS, fault.run(scene));
  } catch (error) {
    failure = reasonOf(error);
  }
  const ms = Math.round(performance.now() - started);
  try {
    await scene.close();
  } catch (error) {
    failure ??= `cleaning up failed: ${reasonOf(error)}`;
  }
  return { fault, ms, folder: scene.folder, ...(failure !== undefined && { failure }) };
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const abort = new AbortController();
  const late = delay(ms, undefined, { signal: abort.signal }).then(
    () => {
      throw new Error(`not over after ${ms / 1000} s`);
    },
    () => undefined,
  );
  await Promise.race([work, late]).finally(() => abort.abort());
}

/** The first lines of an error: assertions say what they expected below their first one. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, 12).join(' ').replace(/\s+/g, ' ').slice(0, 400);
}
