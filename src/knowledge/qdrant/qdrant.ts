import { shownUrl } from '../../core/addresses/shown-url.ts';
import { type ServiceAnswer, ServiceError, type ServiceRequest } from '../../services/ask-service.ts';
import { type Clock, SYSTEM_CLOCK } from '../../services/clock.ts';
import { at, parsed, serviceWords } from '../../services/service-words.ts';
import { askWithRetries, PAUSES_MS } from '../../services/with-retries.ts';

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 32 * 1024 ** 2;
/** Points in one request, as go-rag has it. */
const POINTS_AT_ONCE = 100;
/** No retries: the caller waits for the result of a lookup. Writes are tried again. */
const AT_ONCE: readonly number[] = [];

export interface QdrantOptions {
  readonly url: string;
  readonly apiKey?: string | undefined;
  readonly clock?: Clock;
}

export interface Point {
  /** A UUID. */
  readonly id: string;
  readonly vector: Float32Array;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface FoundPoint {
  /** Cosine similarity. */
  readonly score: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface QdrantCollection {
  readonly points: number;
  /** `green`, `yellow`, `grey` or `red`. */
  readonly status: string;
  /** Numbers in a vector; `undefined` for a collection with several vectors a point. */
  readonly dimensions: number | undefined;
}

/** Qdrant gives no answer, or refuses. `status` is that of its answer. */
export class QdrantError extends Error {
  readonly status: number | undefined;

  constructor(message: string, status?: number, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'QdrantError';
    this.status = status;
  }
}

/** The REST API of Qdrant. All methods throw `QdrantError`, or the reason of `signal` when that is aborted. */
export class Qdrant {
  readonly #options: QdrantOptions;
  readonly #clock: Clock;

  constructor(options: QdrantOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  async names(signal: AbortSignal): Promise<readonly string[]> {
    const collections = at(await this.#ask('GET', '/collections', undefined, signal, AT_ONCE), 'collections');
    if (!Array.isArray(collections)) throw this.#error('answers without a list of collections');
    return (collections as unknown[]).map((one) => String(at(one, 'name'))).sort();
  }

  /** Returns what a collection holds; `undefined` if there is none of that name. */
  async collection(name: string, signal: AbortSignal): Promise<QdrantCollection | undefined> {
    const info = await this.#orMissing(this.#ask('GET', pathOf(name), undefined, signal, AT_ONCE));
    if (info === undefined) return undefined;
    const size = at(at(at(at(info, 'config'), 'params'), 'vectors'), 'size');
    const status = at(info, 'status');
    return {
      points: Number(at(info, 'points_count') ?? 0),
      status: typeof status === 'string' ? status : 'unknown',
      dimensions: typeof size === 'number' ? size : undefined,
    };
  }

  /** Makes a collection for cosine similarity. An existing one is not changed. */
  async create(name: string, dimensions: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#ask('PUT', pathOf(name), { vectors: { size: dimensions, distance: 'Cosine' } }, signal);
    } catch (error) {
      if (!(error instanceof QdrantError) || error.status !== 409) throw error;
    }
    // Deleting by source looks at every point otherwise.
    const index = { field_name: 'source', field_schema: 'keyword' };
    await this.#ask('PUT', `${pathOf(name)}/index?wait=true`, index, signal);
  }

  async remove(name: string, signal: AbortSignal): Promise<void> {
    await this.#ask('DELETE', pathOf(name), undefined, signal);
  }

  /** Adds points, or replaces those with the same ids. */
  async upsert(name: string, points: readonly Point[], signal: AbortSignal): Promise<void> {
    for (let from = 0; from < points.length; from += POINTS_AT_ONCE) {
      const some = points.slice(from, from + POINTS_AT_ONCE);
      const body = { points: some.map(({ vector, ...point }) => ({ ...point, vector: [...vector] })) };
      await this.#ask('PUT', `${pathOf(name)}/points?wait=true`, body, signal);
    }
  }

  /** Deletes the points of a source, except those with the ids in `keep`. */
  async deleteSource(name: string, source: string, keep: readonly string[], signal: AbortSignal): Promise<void> {
    const filter = {
      must: [{ key: 'source', match: { value: source } }],
      ...(keep.length > 0 && { must_not: [{ has_id: keep }] }),
    };
    await this.#ask('POST', `${pathOf(name)}/points/delete?wait=true`, { filter }, signal);
  }

  /** Finds the points nearest to a vector; `undefined` if there is no such collection. */
  async query(
    name: string,
    vector: Float32Array,
    limit: number,
    signal: AbortSignal,
  ): Promise<readonly FoundPoint[] | undefined> {
    const body = { query: [...vector], limit, with_payload: true };
    const answer = await this.#orMissing(this.#ask('POST', `${pathOf(name)}/points/query`, body, signal, AT_ONCE));
    if (answer === undefined) return undefined;
    const points = at(answer, 'points');
    if (!Array.isArray(points)) throw this.#error('answers without a list of points');
    return (points as unknown[]).map(foundPoint);
  }

  async #orMissing(answer: Promise<unknown>): Promise<unknown> {
    try {
      return await answer;
    } catch (error) {
      if (error instanceof QdrantError && error.status === 404) return undefined;
      throw error;
    }
  }

  async #ask(
    method: ServiceRequest['method'],
    path: string,
    body: unknown,
    signal: AbortSignal,
    pausesMs = PAUSES_MS,
  ): Promise<unknown> {
    const { url, apiKey } = this.#options;
    const answer = await this.#answer(
      {
        method,
        url: `${url.replace(/\/$/, '')}${path}`,
        headers: apiKey === undefined ? {} : { 'api-key': apiKey },
        body,
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_ANSWER_BYTES,
        signal,
      },
      pausesMs,
    );
    const json = parsed(answer.text);
    if (answer.status !== 200) throw this.#refusal(answer);
    const result = at(json, 'result');
    if (result === undefined || result === null)
      throw this.#error('answers something that Qdrant does not: check "url"');
    return result;
  }

  async #answer(request: ServiceRequest, pausesMs: readonly number[]): Promise<ServiceAnswer> {
    try {
      return await askWithRetries(request, { pausesMs, clock: this.#clock });
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const isDown = error.fault === 'network' || error.fault === 'timeout';
      const help = isDown ? ': start it, such as with: docker run -p 6333:6333 qdrant/qdrant' : '';
      throw this.#error(`${error.message}${help}`, undefined, error);
    }
  }

  #refusal({ status, text }: ServiceAnswer): QdrantError {
    const words = serviceWords(text, this.#options.apiKey);
    const isKey = status === 401 || status === 403;
    const help = isKey ? ': set "apiKey" of qdrant in the config to a key that is valid' : '';
    return this.#error(`answers ${status}${words === '' ? '' : ` (${words})`}${help}`, status);
  }

  #error(what: string, status?: number, cause?: unknown): QdrantError {
    return new QdrantError(`Qdrant at ${shownUrl(this.#options.url)} ${what}`, status, cause);
  }
}

function pathOf(name: string): string {
  return `/collections/${encodeURIComponent(name)}`;
}

function foundPoint(point: unknown): FoundPoint {
  const payload = at(point, 'payload');
  return {
    score: Number(at(point, 'score')),
    payload: typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {},
  };
}
