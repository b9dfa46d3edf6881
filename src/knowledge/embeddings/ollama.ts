import { endpoint } from '../../services/endpoints.ts';
import { OLLAMA_KIND } from '../../services/service-kinds.ts';
import { at } from '../../services/service-words.ts';
import type { Dialect } from './dialect.ts';

/** Ollama's own API: `POST /api/embed` with `{model, input[]}`, answered by `{embeddings[][]}`. */
export const OLLAMA: Dialect = {
  kind: OLLAMA_KIND,
  name: 'Ollama',
  endpoint: ({ url }) => endpoint(url, '/api/embed'),
  body: ({ model }, texts) => ({ model, input: texts }),
  vectors: (answer) => at(answer, 'embeddings'),
};
