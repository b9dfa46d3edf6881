// One module for all: each file that is loaded by itself makes the start of a gateway longer.
export { checkResults } from './check-results.ts';
export { mendResults } from './mend-results.ts';
export { refuseWithheld } from './refuse-withheld.ts';
export { validateArguments } from './validate-arguments.ts';
