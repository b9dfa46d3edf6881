import { Budget } from '../../core/timing/budget.ts';
import type { Problem } from '../../schema/arguments-validator.ts';

/**
 * The number of calls noted per second and upstream: enough to see that a schema and the arguments disagree, too few to
 * slow anything down.
 */
const NOTE_LIMITS = { burst: 10, perSecond: 10 };

/** Makes a function that tells whether one more note may be taken of an upstream. */
export function noteBudgets(): (upstream: string) => boolean {
  const budgets = new Map<string, Budget>();
  return (upstream) => {
    let budget = budgets.get(upstream);
    if (budget === undefined) {
      budget = new Budget(NOTE_LIMITS);
      budgets.set(upstream, budget);
    }
    return budget.take();
  };
}

/** Returns problems for the log and status, without values: those belong to the caller. */
export function withoutValues(problems: readonly Problem[]): string {
  return problems.map(({ message }) => message.replace(/, but received .*$/s, '')).join('; ');
}
