// Runs the import rules of .dependency-cruiser.cjs. It asserts that modules were really seen: with a TypeScript that has
// no compiler API the cruiser finds nothing and would call that a success.
import { createRequire } from 'node:module';
import { cruise, format } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const rules = createRequire(import.meta.url)('../.dependency-cruiser.cjs');
const { output } = await cruise(
  ['src'],
  { ...rules.options, ruleSet: { forbidden: rules.forbidden }, validate: true },
  undefined,
  { tsConfig: extractTSConfig('tsconfig.json') },
);
const { totalCruised, error } = output.summary;
if (totalCruised === 0) {
  process.stderr.write('check-layers: no module was seen, so nothing was checked\n');
  process.exit(1);
}
if (error > 0) {
  const report = await format(output, { outputType: 'err' });
  process.stderr.write(typeof report.output === 'string' ? report.output : 'the import rules are broken');
  process.stderr.write('\n');
  process.exit(1);
}
process.stdout.write(`layers: ${totalCruised} modules follow the import rules\n`);
