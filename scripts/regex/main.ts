// Fails where a regular expression of src/ may take more time than in proportion to the text: peers, files and users write
// texts. Run by `npm run check`.
import { allPatterns } from './built-patterns.ts';
import { examinePattern } from './examine.ts';

/** Makes modules build the patterns that depend on values of the time when the program runs, from samples. */
const EXERCISES: Readonly<Record<string, () => Promise<unknown>>> = {
  'src/agents/files/toml-block.ts': async () => {
    const { setTable } = await import('../../src/agents/files/toml-block.ts');
    setTable('', 'mcp_servers.viaduct', []);
  },
  // Upstreams write them, and they may be of any kind: they are matched under a time limit (src/schema/time-limit.ts).
  'src/schema/pattern.ts': async () => {
    const { patternReadings } = await import('../../src/schema/pattern.ts');
    patternReadings('^a*$');
  },
  'src/telemetry/log.ts': async () => {
    const { Masker } = await import('../../src/telemetry/log.ts');
    const masker = new Masker();
    masker.add('a secret (of some length)');
    masker.mask('text');
  },
};

const { patterns, unseen } = await allPatterns('src', EXERCISES);
const problems = unseen.map(
  ({ place, text }) =>
    `${place}: ${text} builds a pattern that was not seen: add a sample to EXERCISES in scripts/regex/main.ts`,
);
for (const { place, source, flags } of patterns) {
  const problem = examinePattern(source, flags);
  if (problem !== undefined) problems.push(`${place}: /${source}/${flags} is ${problem}`);
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;
