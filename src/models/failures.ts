import { shownUrl } from '../core/addresses/shown-url.ts';
import { GatewayError } from '../core/errors.ts';
import { networkWords, ServiceError } from '../services/ask-service.ts';
import type { ServiceStream } from '../services/open-stream.ts';
import { readRefusal } from '../services/refusal.ts';
import { serviceWords } from '../services/service-words.ts';
import { retryAfterMs } from '../services/with-retries.ts';
import type { BackendSettings, ChatDialect } from './dialects/dialect.ts';

/** Returns an error about models that a client sees. */
export function modelFailed(message: string, detail: { cause?: unknown; retryAfterMs?: number } = {}): GatewayError {
  return new GatewayError('MODEL_FAILED', message, detail);
}

/** The errors of one backend. Each names it, says where it was looked for, and what to do. None has its key in it. */
export class BackendFailures {
  readonly #settings: BackendSettings;
  readonly #dialect: ChatDialect;
  readonly #section: string;

  constructor(settings: BackendSettings, dialect: ChatDialect) {
    this.#settings = settings;
    this.#dialect = dialect;
    this.#section = `models.backends.${settings.name}`;
  }

  withoutModel(): GatewayError {
    return modelFailed(
      `the backend "${this.#settings.name}" has no model: name one in the call, or as "model" of ${this.#section} in the config`,
    );
  }

  /** Returns the error for a request whose response has not begun. Returns errors of other kinds unchanged. */
  unanswered(error: unknown): unknown {
    if (!(error instanceof ServiceError)) return error;
    return this.#error(`${error.message}${this.#help(error)}`, error);
  }

  refused({ status, text, headers }: ServiceStream, asked: string | undefined): GatewayError {
    const { apiKey, model } = this.#settings;
    const refusal = { status, text, kind: this.#dialect.kind, model: asked ?? model, apiKey, section: this.#section };
    const waitMs = status === 429 ? retryAfterMs(headers) : undefined;
    return this.#error(readRefusal(refusal).words, undefined, waitMs);
  }

  noStream(type: string): GatewayError {
    const kind = type.split(';')[0]!.trim();
    return this.#error(`answers with ${kind}, which no model sends: check "url" of ${this.#section} in the config`);
  }

  /**
   * Returns the error for a connection that was lost or given up in the middle of a response. Returns a GatewayError
   * unchanged.
   */
  brokenOff(error: unknown, length: number): GatewayError {
    if (error instanceof GatewayError) return error;
    const words = error instanceof ServiceError ? error.message : `breaks off amid its answer (${networkWords(error)})`;
    return this.#unused(words, length, error);
  }

  cutOff(length: number): GatewayError {
    return this.#unused('ends its stream amid its answer', length);
  }

  failedAmid(words: string, length: number): GatewayError {
    return this.#unused(`fails amid its answer (${serviceWords(words, this.#settings.apiKey)})`, length);
  }

  malformed(piece: string, length: number): GatewayError {
    const shown = serviceWords(piece, this.#settings.apiKey).slice(0, 60);
    return this.#unused(`sends a piece that is no JSON ("${shown}")`, length);
  }

  #unused(words: string, length: number, cause?: unknown): GatewayError {
    const come = length === 0 ? 'no text had come' : `${length} characters had come, and are not used`;
    return this.#error(`${words}; ${come}. Try again`, cause);
  }

  #help({ fault }: ServiceError): string {
    switch (fault) {
      case 'network':
        return `: ${this.#dialect.kind.howToStart(this.#section)}`;
      case 'timeout':
        return `: it may still load the model; try again, or raise its limits in ${this.#section} in the config`;
      case 'redirect':
        return `: correct "url" of ${this.#section} in the config`;
      default:
        return '';
    }
  }

  #error(words: string, cause?: unknown, waitMs?: number): GatewayError {
    const where = `the backend "${this.#settings.name}" (${this.#dialect.name}, ${shownUrl(this.#dialect.endpoint(this.#settings))})`;
    return modelFailed(`${where} ${words}`, {
      ...(cause !== undefined && { cause }),
      ...(waitMs !== undefined && { retryAfterMs: waitMs }),
    });
  }
}
