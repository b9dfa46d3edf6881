// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the references of a config
import { expect, test } from 'vitest';
import { ragOptions } from '../../../src/workflows/rag/options.ts';
import { issuesOf, literalsOf, parse } from './parse-text.ts';

const RAG = {
  knownWorkflows: ['rag'],
  workflowOptions: { rag: ragOptions },
  env: { QDRANT_KEY: 'qdrant-key-012345', MODEL_KEY: 'model-key-6789', MODEL_URL: 'http://127.0.0.1:9/v1' },
};

function config(rag: object): string {
  return JSON.stringify({ schemaVersion: 1, enabledWorkflows: ['rag'], workflows: { rag } });
}

test('keys and urls of services come from the environment, and the keys are secrets', () => {
  const embeddings = { kind: 'openai', url: '${MODEL_URL}', model: 'm', apiKey: '${MODEL_KEY}' };
  const { workflows, secrets } = parse(config({ embeddings, qdrant: { apiKey: '${QDRANT_KEY}' } }), RAG);
  expect(workflows.rag).toEqual({
    collection: 'hostuk-docs',
    threshold: 0.5,
    embeddings: { kind: 'openai', url: 'http://127.0.0.1:9/v1', model: 'm', apiKey: 'model-key-6789', concurrency: 4 },
    qdrant: { url: 'http://localhost:6333', apiKey: 'qdrant-key-012345' },
  });
  expect(secrets).toEqual(expect.arrayContaining(['qdrant-key-012345', 'model-key-6789']));
});

test('a key that stands in the config itself is a secret, and doctor names its place', () => {
  const text = config({ embeddings: { apiKey: 'written-there' } });
  expect(parse(text, RAG).secrets).toContain('written-there');
  expect(literalsOf(text, RAG)).toEqual(['workflows.rag.embeddings.apiKey']);
});

test.each([
  [{ embeddings: { apiKey: '${NO_SUCH_VARIABLE_HERE}' } }, 'the variable NO_SUCH_VARIABLE_HERE is not set'],
  [{ embeddings: { url: 'localhost:11434' } }, 'must be a url that begins with http:// or https://'],
  [{ embeddings: { url: 'http://me:pass@localhost' } }, 'must not have a user, a password or a query'],
  [{ embeddings: { kind: 'openai', url: 'http://localhost/v1' } }, 'embeddings.model: is needed with "kind: openai"'],
  [{ embeddings: { kind: 'openai', model: 'm' } }, 'embeddings.url: is needed with "kind: openai"'],
  [{ embeddings: { dimensions: 0 } }, 'embeddings.dimensions'],
  [{ qdrant: {} }, 'embeddings: is needed for Qdrant'],
  [{ collection: 'a/b' }, 'letters, digits'],
  [{ threshold: 2 }, 'threshold'],
])('%o is refused', (rag, words) => {
  expect(issuesOf(config(rag), RAG)[0]).toContain(words);
});

test('a key is masked where a config is quoted', () => {
  const text = 'schemaVersion: 1\nfoo: 1\nworkflows: { rag: { embeddings: { apiKey: my-secret-key } } }';
  expect(issuesOf(text, RAG).join('\n')).not.toContain('my-secret-key');
});
