import { checkResults } from './check-results.ts';
import { mendResults } from './mend-results.ts';
import type { PolicyDefinition } from './policy.ts';
import { refuseWithheld } from './refuse-withheld.ts';
import { validateArguments } from './validate-arguments.ts';

/** Every call passes these, in this order; its answer passes them in the opposite one. */
export const POLICIES: readonly PolicyDefinition[] = [refuseWithheld, validateArguments, checkResults, mendResults];
