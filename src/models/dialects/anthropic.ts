import type { ModelMessage } from '../../core/settings/model-backends.ts';
import { versionedEndpoint } from '../../services/endpoints.ts';
import { ANTHROPIC_KIND } from '../../services/service-kinds.ts';
import { at } from '../../services/service-words.ts';
import { type BackendSettings, type ChatDialect, type ChatPiece, given, hasText, textIn } from './dialect.ts';

const VERSION = '2023-06-01';
/** The API wants a limit in every request. */
const MAX_TOKENS = 4_096;

/** The API of Anthropic, "Messages": `POST …/messages`, answered by events, the last one `message_stop`. */
export const ANTHROPIC: ChatDialect = {
  name: 'the API of Anthropic',
  kind: ANTHROPIC_KIND,
  framing: 'events',
  needsModel: true,
  endpoint: ({ url }) => versionedEndpoint(url, '/messages'),
  headers,
  body: (
    settings,
    { model = settings.model, messages, temperature, maxTokens = settings.maxTokens ?? MAX_TOKENS },
  ) => ({
    ...given({ model, temperature, system: systemOf(messages) }),
    messages: messages.filter(({ role }) => role !== 'system'),
    max_tokens: maxTokens,
    stream: true,
  }),
  read,
  readWhole: (answer) => ({
    ...given({ text: textOf(at(answer, 'content')), model: textIn(at(answer, 'model')), error: errorIn(answer) }),
    end: endOf(at(answer, 'stop_reason')) ?? 'whole',
    isLast: true,
  }),
  checkEndpoint: ({ url }) => versionedEndpoint(url, '/models'),
  checkAnswer: () => undefined,
};

function headers({ apiKey }: BackendSettings): Record<string, string> {
  return { 'anthropic-version': VERSION, ...(apiKey !== undefined && { 'x-api-key': apiKey }) };
}

function systemOf(messages: readonly ModelMessage[]): string | undefined {
  const texts = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  return texts.length === 0 ? undefined : texts.join('\n\n');
}

/** Kinds of events that are not known mean nothing here: the API may get more of them. */
function read(event: unknown): ChatPiece {
  switch (at(event, 'type')) {
    case 'message_start':
      return given({ model: textIn(at(at(event, 'message'), 'model')) });
    case 'content_block_delta':
      return given({
        text: textIn(at(at(event, 'delta'), 'text')),
        isThought: hasText(at(at(event, 'delta'), 'thinking')),
      });
    case 'message_delta':
      return given({ end: endOf(at(at(event, 'delta'), 'stop_reason')) });
    case 'message_stop':
      return { isLast: true };
    case 'error':
      return given({ error: errorIn(event) });
    default:
      return {};
  }
}

function endOf(reason: unknown): 'whole' | 'length' | undefined {
  if (typeof reason !== 'string') return undefined;
  return reason === 'max_tokens' ? 'length' : 'whole';
}

function textOf(content: unknown): string | undefined {
  if (!Array.isArray(content)) return undefined;
  return (content as unknown[]).map((block) => textIn(at(block, 'text')) ?? '').join('');
}

function errorIn(answer: unknown): string | undefined {
  const error = at(answer, 'error');
  return error === undefined ? undefined : (textIn(at(error, 'message')) ?? JSON.stringify(error));
}
