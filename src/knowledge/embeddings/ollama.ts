import { at } from '../../services/service-words.ts';
import type { Dialect } from './dialect.ts';

/** Ollama's own API: `POST /api/embed` with `{model, input[]}`, answered by `{embeddings[][]}`. */
export const OLLAMA: Dialect = {
  name: 'Ollama',
  endpoint: ({ url }) => `${url.replace(/\/$/, '')}/api/embed`,
  body: ({ model }, texts) => ({ model, input: texts }),
  vectors: (answer) => at(answer, 'embeddings'),
  lacksModel: (status, answer) => status === 404 && typeof at(answer, 'error') === 'string',
  isOutOfCredit: () => false,
  howToStart: () => 'start it with: ollama serve',
  howToGetModel: ({ model }) => `run: ollama pull ${model}`,
};
