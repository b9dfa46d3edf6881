// Fails where a regular expression in src/ can take more time than in proportion to the length of the text. Peers, files and
// users write those texts. `npm run check` runs it.
import { allPatterns } from './built-patterns.ts';
import { type BoundedCall, problemsOf } from './problems.ts';

/** Calls that make the modules build the patterns that they do not build when they are loaded. */
const SAMPLES: Readonly<Record<string, () => Promise<unknown>>> = {};

const BOUNDED: readonly BoundedCall[] = [
  {
    file: 'src/schema/pattern.ts',
    text: 'new RegExp(pattern, flags)',
    reason: 'an upstream writes the pattern; src/schema/time-limit.ts limits the time for all but the tame ones',
  },
];

const problems = problemsOf(await allPatterns('src', SAMPLES), BOUNDED);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
