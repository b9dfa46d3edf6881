import { at } from './service-words.ts';

/** Reads the errors of one kind of service, and knows what its users can do about them. */
export interface ServiceKind {
  /** Returns whether an error with this status and JSON says that the service lacks the model. */
  lacksModel(status: number, answer: unknown): boolean;
  /** Returns whether an error says that the account must be paid before it gives more. */
  isOutOfCredit(answer: unknown): boolean;
  /** Advice for the case that the service cannot be reached. `section` is its place in the config. */
  howToStart(section: string): string;
  /** Advice for the case that it lacks the model. */
  howToGetModel(model: string, section: string): string;
}

const correctUrl = (section: string) => `start it, or correct "url" of ${section} in the config`;
const otherModel = (_model: string, section: string) => `name one that it has as "model" of ${section} in the config`;

/** Ollama's own API. */
export const OLLAMA_KIND: ServiceKind = {
  lacksModel: (status, answer) => status === 404 && typeof at(answer, 'error') === 'string',
  isOutOfCredit: () => false,
  howToStart: () => 'start it with: ollama serve',
  howToGetModel: (model) => `run: ollama pull ${model}`,
};

/** The API of OpenAI, which many services have. */
export const OPENAI_KIND: ServiceKind = {
  lacksModel: (status, answer) => status === 404 && saysModelIsMissing(answer),
  isOutOfCredit: (answer) => at(at(answer, 'error'), 'code') === 'insufficient_quota',
  howToStart: correctUrl,
  howToGetModel: otherModel,
};

/** OpenAI has a code for it; other servers with its API say it in words, inside or outside of "error". */
function saysModelIsMissing(answer: unknown): boolean {
  const error = at(answer, 'error') ?? answer;
  if (at(error, 'code') === 'model_not_found') return true;
  const words = at(error, 'message');
  return typeof words === 'string' && /\bmodel\b/i.test(words) && /does not exist|not found/i.test(words);
}

/** The API of Anthropic. */
export const ANTHROPIC_KIND: ServiceKind = {
  lacksModel: (status, answer) => status === 404 && at(at(answer, 'error'), 'type') === 'not_found_error',
  isOutOfCredit: (answer) => at(at(answer, 'error'), 'type') === 'billing_error',
  howToStart: correctUrl,
  howToGetModel: otherModel,
};
