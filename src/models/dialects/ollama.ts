import { endpoint } from '../../services/endpoints.ts';
import { OLLAMA_KIND } from '../../services/service-kinds.ts';
import { at } from '../../services/service-words.ts';
import { type BackendSettings, type ChatDialect, type ChatPiece, given, hasText, textIn } from './dialect.ts';

/** Ollama's own API: `POST /api/chat`, answered by a line for each piece; the last one has `done: true`. */
export const OLLAMA: ChatDialect = {
  name: 'Ollama',
  kind: OLLAMA_KIND,
  framing: 'lines',
  needsModel: true,
  endpoint: ({ url }) => endpoint(url, '/api/chat'),
  headers: ({ apiKey }): Record<string, string> => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  body: (settings, { model = settings.model, messages, temperature, maxTokens = settings.maxTokens }) => ({
    model,
    messages,
    stream: true,
    options: given({ temperature, num_predict: maxTokens }),
  }),
  read,
  readWhole: read,
  checkEndpoint: ({ url }) => endpoint(url, '/api/tags'),
  checkAnswer: lacksModel,
};

function read(piece: unknown): ChatPiece {
  const isLast = at(piece, 'done') === true;
  return given({
    text: textIn(at(at(piece, 'message'), 'content')),
    isThought: hasText(at(at(piece, 'message'), 'thinking')),
    model: textIn(at(piece, 'model')),
    error: textIn(at(piece, 'error')),
    isLast,
    end: isLast ? endOf(at(piece, 'done_reason')) : undefined,
  });
}

const endOf = (reason: unknown) => (reason === 'length' ? 'length' : 'whole');

/** A name without a tag means the tag `latest`. */
function lacksModel({ model, name }: BackendSettings, answer: unknown): string | undefined {
  const models = at(answer, 'models');
  if (model === undefined || !Array.isArray(models)) return undefined;
  const named = (models as unknown[]).flatMap((one) => [at(one, 'name'), at(one, 'model')]);
  const isThere = named.some((one) => one === model || one === `${model}:latest`);
  return isThere
    ? undefined
    : `it has no model ${model}: ${OLLAMA_KIND.howToGetModel(model, `models.backends.${name}`)}`;
}
