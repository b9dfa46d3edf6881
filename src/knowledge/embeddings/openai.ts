import { versionedEndpoint } from '../../services/endpoints.ts';
import { OPENAI_KIND } from '../../services/service-kinds.ts';
import { at } from '../../services/service-words.ts';
import type { Dialect } from './dialect.ts';

/** The API of OpenAI, which many services have: `POST …/embeddings` with `{model, input[]}`, answered by `{data[]}`. */
export const OPENAI: Dialect = {
  kind: OPENAI_KIND,
  name: 'The embedding service',
  endpoint: ({ url }) => versionedEndpoint(url, '/embeddings'),
  body: ({ model, dimensions }, texts) => ({
    model,
    input: texts,
    encoding_format: 'float',
    ...(dimensions !== undefined && { dimensions }),
  }),
  vectors: (answer) => inOrder(at(answer, 'data')),
};

/** Each item says which text it is for; services need not keep the order. */
function inOrder(data: unknown): unknown {
  if (!Array.isArray(data)) return undefined;
  const vectors: unknown[] = [];
  for (const [position, item] of (data as unknown[]).entries()) {
    const index = at(item, 'index') ?? position;
    if (typeof index !== 'number' || !(index in data) || vectors[index] !== undefined) return undefined;
    vectors[index] = at(item, 'embedding');
  }
  return vectors;
}
