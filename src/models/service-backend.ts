import PQueue from 'p-queue';
import type { GenerateOptions, Generation, ModelRequest } from '../core/settings/model-backends.ts';
import type { Clock } from '../services/clock.ts';
import { openStream, type ServiceStream } from '../services/open-stream.ts';
import { parsed } from '../services/service-words.ts';
import { withRetries } from '../services/with-retries.ts';
import { checkBackend } from './check-backend.ts';
import type { BackendSettings, ChatDialect } from './dialects/dialect.ts';
import { BackendFailures } from './failures.ts';
import { Patience } from './patience.ts';
import { readAnswer } from './read-answer.ts';

/** Pauses before the second and third attempt, in milliseconds. */
const PAUSES_MS: readonly number[] = [1_000, 3_000];
/** Far more than the longest answer with everything that a stream has around it. */
const MAX_ANSWER_BYTES = 64 * 1024 ** 2;
/** Milliseconds for which the outcome of a check is kept. */
const CHECK_KEPT_MS = 5_000;

interface Attempt extends ServiceStream {
  readonly patience: Patience;
}

export interface ServiceBackendOptions {
  readonly settings: BackendSettings;
  readonly dialect: ChatDialect;
  readonly clock: Clock;
}

/** A service that runs models: the queue of its requests, retries, and what its answers mean. */
export class ServiceBackend {
  readonly #settings: BackendSettings;
  readonly #dialect: ChatDialect;
  readonly #clock: Clock;
  readonly #failures: BackendFailures;
  readonly #turns: PQueue;
  #checked: { readonly outcome: Promise<string | undefined>; readonly until: number } | undefined;

  constructor({ settings, dialect, clock }: ServiceBackendOptions) {
    this.#settings = settings;
    this.#dialect = dialect;
    this.#clock = clock;
    this.#failures = new BackendFailures(settings, dialect);
    this.#turns = new PQueue({ concurrency: settings.concurrency });
  }

  /**
   * Generates an answer when it is this call's turn.
   * @throws GatewayError `MODEL_FAILED`; the reason of `signal` when that is aborted
   */
  async generate(request: ModelRequest, options: GenerateOptions): Promise<Generation> {
    const { signal } = options;
    signal.throwIfAborted();
    const model = request.model ?? this.#settings.model;
    if (model === undefined && this.#dialect.needsModel) throw this.#failures.withoutModel();
    return this.#turns.add(() => this.#answer(request, options), { signal });
  }

  /** Asks the service whether it is there. Returns what is wrong with it and what to do; `undefined` if nothing is. */
  check(): Promise<string | undefined> {
    const now = this.#clock.now();
    if (this.#checked === undefined || this.#checked.until <= now) {
      const outcome = checkBackend(this.#settings, this.#dialect);
      this.#checked = { outcome, until: now + CHECK_KEPT_MS };
    }
    return this.#checked.outcome;
  }

  async #answer(request: ModelRequest, { signal, onText }: GenerateOptions): Promise<Generation> {
    const attempt = await this.#open(request, signal);
    try {
      if (attempt.status !== 200) throw this.#failures.refused(attempt, request.model);
      const { text, model, end } = await readAnswer(attempt, {
        dialect: this.#dialect,
        failures: this.#failures,
        patience: attempt.patience,
        onText,
      });
      return { text, backend: this.#settings.name, model: model ?? request.model ?? this.#settings.model, end };
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      attempt.patience.stop();
    }
  }

  /**
   * Opens the response. Only failures before its first byte are tried again: as far as can be told, nothing was
   * generated then.
   */
  async #open(request: ModelRequest, signal: AbortSignal): Promise<Attempt> {
    const isFinal = ({ text }: ServiceStream) => this.#dialect.kind.isOutOfCredit(parsed(text));
    const retries = { pausesMs: PAUSES_MS, clock: this.#clock, isFinal };
    try {
      return await withRetries(() => this.#attempt(request, signal), retries, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw this.#failures.unanswered(error);
    }
  }

  async #attempt(request: ModelRequest, call: AbortSignal): Promise<Attempt> {
    const settings = this.#settings;
    const patience = new Patience(settings, call);
    try {
      const answer = await openStream({
        method: 'POST',
        url: this.#dialect.endpoint(settings),
        headers: { accept: 'text/event-stream, application/json', ...this.#dialect.headers(settings) },
        body: this.#dialect.body(settings, request),
        maxBytes: MAX_ANSWER_BYTES,
        signal: patience.signal,
      });
      if (answer.status !== 200) patience.stop();
      return { ...answer, patience };
    } catch (error) {
      patience.stop();
      throw error;
    }
  }
}
