// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { expect, test } from 'vitest';
import { ideOptions } from '../../../../src/workflows/ide/options.ts';
import { issuesOf, literalsOf, parse } from '../parse-text.ts';

const IDE = {
  knownWorkflows: ['ide'],
  workflowOptions: { ide: ideOptions },
  env: { NPM: 'npm-secret-6789', HOME: '/home/me' },
};

function config(env: object): string {
  const builds = { web: { command: ['make'], env } };
  return JSON.stringify({ schemaVersion: 1, enabledWorkflows: ['ide'], workflows: { ide: { builds } } });
}

test('the environment of builds may come from variables, and its values are secrets unless they are plain', () => {
  const env = { A: 'x-${NPM}', MODE: 'production', API_KEY: 'written-there', FOLDER: '${HOME}' };
  const { workflows, secrets } = parse(config(env), IDE);
  expect(workflows.ide).toMatchObject({
    builds: {
      web: { env: { A: 'x-npm-secret-6789', MODE: 'production', API_KEY: 'written-there', FOLDER: '/home/me' } },
    },
  });
  expect(secrets).toEqual(expect.arrayContaining(['npm-secret-6789', 'x-npm-secret-6789', 'written-there']));
  expect(secrets).not.toContain('production');
  expect(secrets).not.toContain('/home/me');
});

test('doctor names the places of values that stand in the config itself', () => {
  expect(literalsOf(config({ API_KEY: 'written-there', A: '${NPM}', LANG: 'en_US.UTF-8' }), IDE)).toEqual([
    'workflows.ide.builds.web.env.API_KEY',
  ]);
});

test('a variable that is not set is a fault, and wrong shapes are left to the schema', () => {
  expect(issuesOf(config({ A: '${NOT_SET}' }), IDE).join('\n')).toContain('NOT_SET is not set');
  const text = '{ schemaVersion: 1, workflows: { ide: { builds: { web: { command: [x], env: [a] }, y: 3 } } } }';
  expect(issuesOf(text, IDE).join('\n')).toContain('workflows.ide.builds.web.env');
  expect(literalsOf(text, IDE)).toEqual([]);
});
