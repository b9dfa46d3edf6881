import { at } from '../../services/service-words.ts';
import type { Dialect, ServiceSettings } from './dialect.ts';

/** The API of OpenAI, which many services have: `POST …/embeddings` with `{model, input[]}`, answered by `{data[]}`. */
export const OPENAI: Dialect = {
  name: 'The embedding service',
  endpoint: embeddingsUrl,
  body: ({ model, dimensions }, texts) => ({
    model,
    input: texts,
    encoding_format: 'float',
    ...(dimensions !== undefined && { dimensions }),
  }),
  vectors: (answer) => inOrder(at(answer, 'data')),
  lacksModel: (status, answer) => status === 404 && at(at(answer, 'error'), 'code') === 'model_not_found',
  isOutOfCredit: (answer) => at(at(answer, 'error'), 'code') === 'insufficient_quota',
  howToStart: () => 'start it, or correct "url" of embeddings in the config',
  howToGetModel: () => 'name one that it has as "model" of embeddings in the config',
};

/** A url without a path is that of a server; one with a path is what stands before `/embeddings`. */
function embeddingsUrl({ url }: ServiceSettings): string {
  const base = url.replace(/\/$/, '');
  return new URL(url).pathname === '/' ? `${base}/v1/embeddings` : `${base}/embeddings`;
}

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
