import { askService, ServiceError } from '../services/ask-service.ts';
import { readRefusal } from '../services/refusal.ts';
import { parsed } from '../services/service-words.ts';
import type { BackendSettings, ChatDialect } from './dialects/dialect.ts';

/** A check may take as long, in milliseconds. */
const CHECK_MS = 1_000;
/** A list of models is far shorter. */
const MAX_BYTES = 4 * 1024 ** 2;

/** Asks a service for its list of models. Returns what is wrong and what to do; `undefined` if it can be used. */
export async function checkBackend(settings: BackendSettings, dialect: ChatDialect): Promise<string | undefined> {
  const section = `models.backends.${settings.name}`;
  try {
    const { status, text } = await askService({
      method: 'GET',
      url: dialect.checkEndpoint(settings),
      headers: dialect.headers(settings),
      timeoutMs: CHECK_MS,
      maxBytes: MAX_BYTES,
      signal: new AbortController().signal,
    });
    if (status === 200) return dialect.checkAnswer(settings, parsed(text));
    // It is there; not every server lists its models.
    if (status === 404 || status === 405) return undefined;
    const { apiKey } = settings;
    return `it ${readRefusal({ status, text, kind: dialect.kind, model: undefined, apiKey, section }).words}`;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return `it ${error.message}: ${helpFor(error, dialect, section)}`;
  }
}

function helpFor({ fault }: ServiceError, { kind }: ChatDialect, section: string): string {
  const isThere = fault === 'redirect' || fault === 'too-large';
  return isThere ? `correct "url" of ${section} in the config` : kind.howToStart(section);
}
