import PQueue from 'p-queue';
import { shownUrl } from '../../core/addresses/shown-url.ts';
import { type ServiceAnswer, ServiceError } from '../../services/ask-service.ts';
import { readRefusal } from '../../services/refusal.ts';
import { parsed } from '../../services/service-words.ts';
import { askWithRetries, type Retries } from '../../services/with-retries.ts';
import { checkVectors } from './check-vectors.ts';
import type { Dialect, ServiceSettings } from './dialect.ts';
import type { Embedder } from './embedder.ts';
import { EmbeddingError, type EmbeddingFault } from './embedding-error.ts';

/** The place of its options in the config, for messages. */
const SECTION = 'embeddings';
/** Texts in one request. */
const BATCH = 50;
/** Milliseconds for which a service that could not be reached is not tried again. */
const REST_MS = 10_000;
/** Far more than the longest vectors of a batch take as JSON. */
const MAX_ANSWER_BYTES = 64 * 1024 ** 2;

export interface ServiceEmbedderOptions {
  readonly settings: ServiceSettings;
  readonly dialect: Dialect;
  readonly retries: Retries;
  /** Milliseconds for one request. */
  readonly timeoutMs: number;
}

/** Turns texts into vectors by a service: batches, a limit on requests at one time, checks of what comes back. */
export class ServiceEmbedder implements Embedder {
  readonly model: string;
  readonly dimensions: number | undefined;
  readonly #options: ServiceEmbedderOptions;
  readonly #turns: PQueue;
  /** The last error, and the time until which the service counts as unreachable, by the clock. */
  #down: { readonly error: EmbeddingError; readonly until: number } | undefined;

  constructor(options: ServiceEmbedderOptions) {
    this.model = options.settings.model;
    this.dimensions = options.settings.dimensions;
    this.#options = options;
    this.#turns = new PQueue({ concurrency: options.settings.concurrency });
  }

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    signal.throwIfAborted();
    if (this.#down !== undefined && this.#options.retries.clock.now() < this.#down.until) throw this.#down.error;
    const batches: (readonly string[])[] = [];
    for (let from = 0; from < texts.length; from += BATCH) batches.push(texts.slice(from, from + BATCH));
    const vectors = (await this.#all(batches, signal)).flat();
    const other = vectors.find(({ length }) => length !== vectors[0]!.length);
    if (other !== undefined)
      throw this.#error('invalid-answer', `answers with vectors of ${vectors[0]!.length} and ${other.length} numbers`);
    return vectors;
  }

  /** Embeds all batches. When one batch has failed, the others are cancelled. */
  async #all(batches: readonly (readonly string[])[], signal: AbortSignal): Promise<Float32Array[][]> {
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    try {
      return await Promise.all(batches.map((batch) => this.#turns.add(() => this.#batch(batch, either))));
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  }

  async #batch(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { settings, dialect } = this.#options;
    const answer = await this.#ask(dialect.body(settings, texts), signal);
    if (answer.status !== 200) throw this.#refusal(answer);
    const vectors = checkVectors(dialect.vectors(parsed(answer.text)), {
      count: texts.length,
      dimensions: settings.dimensions,
    });
    if (typeof vectors === 'string') throw this.#error('invalid-answer', `answers ${vectors}`);
    return vectors;
  }

  async #ask(body: unknown, signal: AbortSignal): Promise<ServiceAnswer> {
    const { settings, dialect, retries, timeoutMs } = this.#options;
    const { apiKey } = settings;
    const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
    const url = dialect.endpoint(settings);
    const isFinal = ({ text }: ServiceAnswer) => dialect.kind.isOutOfCredit(parsed(text));
    try {
      return await askWithRetries(
        { method: 'POST', url, headers, body, timeoutMs, maxBytes: MAX_ANSWER_BYTES, signal },
        { ...retries, isFinal },
      );
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw this.#noAnswer(error);
    }
  }

  /** Later requests need not wait for the same again. */
  #noAnswer(error: ServiceError): EmbeddingError {
    const { dialect, retries } = this.#options;
    if (error.fault !== 'network' && error.fault !== 'timeout')
      return this.#error('invalid-answer', error.message, error);
    const unreachable = this.#error('unreachable', `${error.message}: ${dialect.kind.howToStart(SECTION)}`, error);
    this.#down = { error: unreachable, until: retries.clock.now() + REST_MS };
    return unreachable;
  }

  #refusal({ status, text }: ServiceAnswer): EmbeddingError {
    const { settings, dialect } = this.#options;
    const { fault, words } = readRefusal({ ...settings, kind: dialect.kind, status, text, section: SECTION });
    return this.#error(fault, words);
  }

  #error(fault: EmbeddingFault, what: string, cause?: unknown): EmbeddingError {
    const { settings, dialect } = this.#options;
    return new EmbeddingError(fault, `${dialect.name} at ${shownUrl(dialect.endpoint(settings))} ${what}`, cause);
  }
}
