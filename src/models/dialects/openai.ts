import { versionedEndpoint } from '../../services/endpoints.ts';
import { OPENAI_KIND } from '../../services/service-kinds.ts';
import { at } from '../../services/service-words.ts';
import { type BackendSettings, type ChatDialect, type ChatPiece, given, hasText, textIn } from './dialect.ts';

/**
 * The API of OpenAI, "Chat completions": `POST …/chat/completions`, answered by events and at last `[DONE]`. Servers that
 * have it differ in small things: some send no `[DONE]` or no `finish_reason`, some no stream at all.
 */
export const OPENAI: ChatDialect = {
  name: 'the service with the API of OpenAI',
  kind: OPENAI_KIND,
  framing: 'events',
  needsModel: false,
  endpoint: ({ url }) => versionedEndpoint(url, '/chat/completions'),
  headers: ({ apiKey }): Record<string, string> => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  body: (settings, { model = settings.model, messages, temperature, maxTokens = settings.maxTokens }) => ({
    ...given({ model, temperature, [limitName(settings)]: maxTokens }),
    messages,
    stream: true,
  }),
  read: (piece) => read(piece, 'delta'),
  readWhole: (answer) => ({ end: 'whole', ...read(answer, 'message'), isLast: true }),
  checkEndpoint: ({ url }) => versionedEndpoint(url, '/models'),
  // Many servers answer for any model with the one that they have.
  checkAnswer: () => undefined,
};

/** OpenAI itself refuses the older name for its newer models; other servers know no other. */
function limitName({ url }: BackendSettings): string {
  return new URL(url).hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens';
}

function read(answer: unknown, member: 'delta' | 'message'): ChatPiece {
  const choices = at(answer, 'choices');
  const choice = Array.isArray(choices) ? (choices[0] as unknown) : undefined;
  const reason = textIn(at(choice, 'finish_reason'));
  return given({
    text: textOf(at(at(choice, member), 'content')) ?? textIn(at(choice, 'text')),
    isThought: hasText(at(at(choice, member), 'reasoning_content'), at(at(choice, member), 'reasoning')),
    model: textIn(at(answer, 'model')) || undefined,
    error: errorIn(at(answer, 'error')),
    end: reason === undefined || reason === '' ? undefined : endOf(reason),
  });
}

const endOf = (reason: string) => (reason === 'length' ? 'length' : 'whole');

/** Some services give a list of parts. */
function textOf(content: unknown): string | undefined {
  if (!Array.isArray(content)) return textIn(content);
  return (content as unknown[]).map((part) => textIn(at(part, 'text')) ?? '').join('');
}

function errorIn(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined;
  return textIn(error) ?? textIn(at(error, 'message')) ?? JSON.stringify(error);
}
