import { expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { nodeProblem, OLDEST_NODE } from '../../../src/cli/node-version.ts';

test('the oldest version is the one that package.json has', () => {
  expect(`>=${OLDEST_NODE.join('.')}`).toBe(manifest.engines.node);
});

test.each(['20.19.0', '20.20.1', '22.0.0', '24.1.0', '100.0.0'])('%s will do', (version) => {
  expect(nodeProblem(version)).toBeUndefined();
});

test.each(['20.18.3', '18.20.8', '16.0.0', '0.12.18'])('%s is too old, and what to do is told', (version) => {
  expect(nodeProblem(version)).toContain(`Node.js ${version} is too old: Viaduct needs 20.19 or newer`);
});
