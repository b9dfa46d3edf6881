import { checkResults } from './check-results.ts';
import { mendResults } from './mend-results.ts';
import type { Policy } from './policy.ts';
import { refuseWithheld } from './refuse-withheld.ts';
import { validateArguments } from './validate-arguments.ts';

/** Returns the policies that every call passes in this order, and every response in the opposite one. */
export function createPolicies(): readonly Policy[] {
  return [refuseWithheld(), validateArguments(), checkResults(), mendResults()];
}
