// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { expect, test } from 'vitest';
import { ideOptions } from '../../../src/workflows/ide/options.ts';
import { mlOptions } from '../../../src/workflows/ml/options.ts';
import { issuesOf, literalsOf, parse } from './parse-text.ts';

const ML = {
  knownWorkflows: ['ml'],
  workflowOptions: { ml: mlOptions },
  env: { MODEL_KEY: 'model-key-6789', MODEL_URL: 'http://127.0.0.1:9/v1', INFLUX: 'influx-token-1234' },
};

function config(models: object, ml: object = {}): string {
  return JSON.stringify({ schemaVersion: 1, enabledWorkflows: ['ml'], models, workflows: { ml } });
}

const OPENAI = { kind: 'openai', url: '${MODEL_URL}', apiKey: '${MODEL_KEY}' };

test('urls and keys come from the environment, and the keys are secrets', () => {
  const { models, workflows, secrets } = parse(
    config({ backends: { big: OPENAI } }, { influx: { token: '${INFLUX}' } }),
    ML,
  );
  expect(models).toEqual({
    backends: {
      big: {
        kind: 'openai',
        url: 'http://127.0.0.1:9/v1',
        apiKey: 'model-key-6789',
        concurrency: 2,
        firstTokenMs: 120_000,
        idleMs: 60_000,
        timeoutMs: 600_000,
      },
    },
  });
  expect(workflows.ml).toEqual({ influx: { url: 'http://localhost:8086', db: 'lem', token: 'influx-token-1234' } });
  expect(secrets).toEqual(expect.arrayContaining(['model-key-6789', 'influx-token-1234']));
});

test('without the section there are no backends', () => {
  expect(parse('schemaVersion: 1').models).toEqual({ backends: {} });
});

test('keys that stand in the config itself are secrets, and doctor names their places', () => {
  const text = config({ backends: { big: { ...OPENAI, apiKey: 'written-there' } } }, { influx: { token: 'here-too' } });
  expect(parse(text, ML).secrets).toEqual(expect.arrayContaining(['written-there', 'here-too']));
  expect(literalsOf(text, ML)).toEqual(['workflows.ml.influx.token', 'models.backends.big.apiKey']);
});

test.each([
  [{ backends: { big: { ...OPENAI, apiKey: '${NO_SUCH_VARIABLE_HERE}' } } }, 'NO_SUCH_VARIABLE_HERE is not set'],
  [{ backends: { big: { url: 'localhost:11434' } } }, 'must be a url that begins with http:// or https://'],
  [{ backends: { big: { kind: 'openai' } } }, 'models.backends.big.url: is needed with "kind: openai"'],
  [{ backends: { big: { kind: 'opena' } } }, 'did you mean "openai"?'],
  [{ backends: { client: {} } }, '"client" is the model of the calling client'],
  [{ backends: { 'a b': {} } }, 'the name must have letters'],
  [{ backends: { big: {} }, default: 'bih' }, 'models.default: no backend has this name'],
  [{ backends: { big: { concurrency: 0 } } }, 'models.backends.big.concurrency'],
])('%o is refused', (models, words) => {
  expect(issuesOf(config(models), ML).join('\n')).toContain(words);
});

test('the token of InfluxDB in the environment is a secret while the workflow is on', () => {
  const env = { INFLUX_TOKEN: ' influx-env-5678\n' };
  expect(parse(config({}), { ...ML, env }).secrets).toEqual(['influx-env-5678']);
  expect(parse('schemaVersion: 1', { ...ML, env }).secrets).toEqual([]);
});

test.each([
  ['ml', { judge: { backend: 'bgi' } }, 'workflows.ml.judge.backend: no backend of models.backends has this name'],
  ['ide', { model: { backend: 'bgi' } }, 'workflows.ide.model.backend: no backend of models.backends has this name'],
])('a backend that workflow %s names has to be there', (name, options, words) => {
  const shapes = { ...ML, knownWorkflows: ['ml', 'ide'], workflowOptions: { ml: mlOptions, ide: ideOptions } };
  const text = (models: object) => JSON.stringify({ schemaVersion: 1, models, workflows: { [name]: options } });
  expect(issuesOf(text({ backends: { big: {} } }), shapes).join('\n')).toContain(words);
  expect(issuesOf(text({ backends: { big: {} } }), shapes).join('\n')).toContain('did you mean "big"?');
  expect(issuesOf(text({}), shapes).join('\n')).toContain('there are: client');
  expect(parse(text({ backends: { bgi: {} } }), shapes).models.backends).toHaveProperty('bgi');
});

test('a key is masked where a config is quoted', () => {
  const text = 'schemaVersion: 1\nfoo: 1\nmodels: { backends: { big: { apiKey: my-secret-key } } }';
  expect(issuesOf(text, ML).join('\n')).not.toContain('my-secret-key');
});
