import type { ServiceKind } from './service-kinds.ts';
import { parsed, serviceWords } from './service-words.ts';

/** An answer that is an error, and who has asked. */
export interface RefusedRequest {
  readonly status: number;
  readonly text: string;
  readonly kind: ServiceKind;
  readonly model: string | undefined;
  readonly apiKey?: string | undefined;
  /** Place of the service in the config, such as `embeddings`. */
  readonly section: string;
}

export interface Refusal {
  /** It lacks the model, it has given as much as it will for now, or anything else. */
  readonly fault: 'no-model' | 'quota' | 'refused';
  /** Completes a sentence that begins with the service, and says what to do. Never has the key in it. */
  readonly words: string;
}

/** Reads an error of a service. */
export function readRefusal({ status, text, kind, model, apiKey, section }: RefusedRequest): Refusal {
  const json = parsed(text);
  if (model !== undefined && kind.lacksModel(status, json))
    return { fault: 'no-model', words: `has no model ${model}: ${kind.howToGetModel(model, section)}` };
  const said = saidWith(status, serviceWords(text, apiKey));
  if (status === 429 || kind.isOutOfCredit(json))
    return { fault: 'quota', words: `${said}: it gives no more for now; wait, or raise its limit` };
  return { fault: 'refused', words: `${said}${advice(status, section)}` };
}

function saidWith(status: number, words: string): string {
  return `answers ${status}${words === '' ? '' : ` (${words})`}`;
}

function advice(status: number, section: string): string {
  if (status === 401 || status === 403) return `: set "apiKey" of ${section} in the config to a key that is valid`;
  return status === 404 ? `: check "url" of ${section} in the config` : '';
}
