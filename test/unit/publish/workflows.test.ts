import { accessSync, constants, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import manifest from '../../../package.json' with { type: 'json' };

interface Step {
  readonly uses?: string;
  readonly run?: string;
}
interface Workflow {
  readonly on: any;
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly permissions?: unknown; readonly strategy?: any; readonly steps: Step[] }>
  >;
}

const workflow = (name: string): Workflow => parse(readFileSync(path.join('.github/workflows', name), 'utf8'));
const ci = workflow('ci.yml');
const release = workflow('release.yml');
const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap(({ steps }) => steps);
const runsOf = (steps: readonly Step[]) => steps.flatMap(({ run }) => run ?? []);

/** The scripts of package.json that a text runs. */
function scriptsIn(text: string): readonly string[] {
  const named = text.matchAll(/\bnpm (?:run (?:--silent )?([\w:]+)|(test)\b)/g);
  return [...named].map(([, script, short]) => (script ?? short)!);
}

test('Linux runs what .ci/run does, on each version of Node.js that is supported', () => {
  const { linux } = ci.jobs;
  expect(linux!.strategy.matrix).toEqual({ node: [20, 22, 24] });
  expect(runsOf(linux!.steps)).toEqual(['.ci/run']);
  expect(() => accessSync('.ci/run', constants.X_OK)).not.toThrow();
});

test('macOS and Windows run the tests on the same versions', () => {
  const { others } = ci.jobs;
  expect(others!.strategy.matrix).toEqual({ os: ['macos-latest', 'windows-latest'], node: [20, 22, 24] });
  expect(runsOf(others!.steps)).toEqual(['npm ci && npm test']);
});

test('a tag publishes with provenance, after the tests', () => {
  expect(release.on).toEqual({ push: { tags: ['v*'] } });
  const runs = runsOf(stepsOf(release));
  expect(runs.at(-1)).toBe('npm publish --provenance --access public');
  expect(runs).toEqual(expect.arrayContaining(['npm ci', 'npm test', 'npm run proofs:install']));
});

test('workflows may only read, and the one that publishes may prove who it is', () => {
  for (const one of [ci, release]) expect(one.permissions).toEqual({ contents: 'read' });
  expect(Object.values(ci.jobs).map(({ permissions }) => permissions)).toEqual([undefined, undefined]);
  expect(release.jobs.publish!.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
});

test('actions are those of GitHub, of one major version', () => {
  const actions = [...stepsOf(ci), ...stepsOf(release)].flatMap(({ uses }) => uses ?? []);
  expect(actions.length).toBeGreaterThan(0);
  for (const action of actions) expect(action).toMatch(/^actions\/[a-z-]+@v\d+$/);
});

test('package.json has the scripts that workflows and .ci/run run', () => {
  const texts = [...runsOf([...stepsOf(ci), ...stepsOf(release)]), readFileSync('.ci/run', 'utf8')];
  const scripts = texts.flatMap(scriptsIn);
  expect(scripts).toEqual(expect.arrayContaining(['test', 'faults', 'conformance', 'proofs:install']));
  for (const script of scripts) expect(Object.keys(manifest.scripts)).toContain(script);
});
