import { apiKey } from '../../../core/addresses/service-url.ts';
import { GatewayError } from '../../../core/errors.ts';
import { askService, type ServiceAnswer, ServiceError } from '../../../services/ask-service.ts';
import { endpoint } from '../../../services/endpoints.ts';
import { parsed, serviceWords } from '../../../services/service-words.ts';
import type { MlOptions } from '../options.ts';

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 ** 2;
const SECTION = 'workflows.ml.influx';

/** A row of an answer. */
export type Row = Readonly<Record<string, unknown>>;

/** InfluxDB 3 at the address of the config, asked by SQL. */
export class Influx {
  readonly #options: MlOptions['influx'];
  readonly #token: string | undefined;

  /** @param token that of the environment, where the config has none */
  constructor(options: MlOptions['influx'], token: string | undefined) {
    this.#options = options;
    this.#token = options.token ?? (token?.trim() || undefined);
  }

  /** The configured address. */
  get url(): string {
    return this.#options.url;
  }

  /**
   * Asks a query of a database, that of the config where none is named. A table that is not there has no rows.
   * @throws GatewayError if the server cannot be reached or refuses; the reason of `signal` when that is aborted
   */
  async query(sql: string, database: string | undefined, signal: AbortSignal): Promise<readonly Row[]> {
    const { status, text } = await this.#ask({ db: database ?? this.#options.db, q: sql, format: 'json' }, signal);
    if (status !== 200) {
      if (isTableMissing(text)) return [];
      throw this.#refusal(status, text);
    }
    const rows = text.trim() === '' ? [] : parsed(text);
    if (!Array.isArray(rows))
      throw this.#failure(`answers with something that is no list of rows: check "url" of ${SECTION}`);
    return rows as Row[];
  }

  async #ask(body: object, signal: AbortSignal): Promise<ServiceAnswer> {
    if (this.#token !== undefined && !apiKey.safeParse(this.#token).success)
      throw this.#failure('is not asked: INFLUX_TOKEN has characters that no token has');
    const headers: Record<string, string> = this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
    try {
      const url = endpoint(this.url, '/api/v3/query_sql');
      return await askService({
        method: 'POST',
        url,
        headers,
        body,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        signal,
      });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      throw this.#failure(`${error.message}: start InfluxDB 3, or correct "url" of ${SECTION} in the config`, error);
    }
  }

  #refusal(status: number, text: string): GatewayError {
    const words = serviceWords(text, this.#token);
    const said = `answers ${status}${words === '' ? '' : ` (${words})`}`;
    const help =
      status === 401 || status === 403
        ? `set "token" of ${SECTION} in the config, or INFLUX_TOKEN, to a token that is valid`
        : `check "url" and "db" of ${SECTION} in the config; it has to be InfluxDB 3`;
    return this.#failure(`${said}: ${help}`);
  }

  #failure(words: string, cause?: unknown): GatewayError {
    return new GatewayError('MODEL_FAILED', `InfluxDB at ${this.url} ${words}`, cause === undefined ? {} : { cause });
  }
}

function isTableMissing(text: string): boolean {
  return /\btable\b/i.test(text) && /not found/i.test(text);
}
