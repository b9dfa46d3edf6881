import { checkResults } from './check-results.ts';
import { mendResults } from './mend-results.ts';
import type { Policy } from './policy.ts';
import { refuseWithheld } from './refuse-withheld.ts';
import { validateArguments } from './validate-arguments.ts';

/** Every call passes these, in this order; its answer passes them in the opposite one. */
export function createPolicies(): readonly Policy[] {
  return [refuseWithheld(), validateArguments(), checkResults(), mendResults()];
}
