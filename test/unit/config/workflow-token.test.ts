// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { expect, test } from 'vitest';
import { liveOptions } from '../../../src/workflows/live/options.ts';
import { issuesOf, parse } from './parse-text.ts';

const TOKEN = 'live-token-0123456789';
const LIVE = { knownWorkflows: ['live'], workflowOptions: { live: liveOptions }, env: { LIVE_TOKEN: TOKEN } };

test('the token of a workflow comes from the environment, and is a secret', () => {
  const text = 'schemaVersion: 1\nenabledWorkflows: [live]\nworkflows: { live: { token: "${LIVE_TOKEN}" } }';
  const { workflows, secrets } = parse(text, LIVE);
  expect(workflows.live).toMatchObject({ token: TOKEN });
  expect(secrets).toContain(TOKEN);
});

test('a variable that is not set is an error at its place', () => {
  const text = 'schemaVersion: 1\nenabledWorkflows: [live]\nworkflows:\n  live:\n    token: ${NO_SUCH_VARIABLE_HERE}';
  expect(issuesOf(text, LIVE)[0]).toContain('5:12 workflows.live.token: the variable NO_SUCH_VARIABLE_HERE is not set');
});
