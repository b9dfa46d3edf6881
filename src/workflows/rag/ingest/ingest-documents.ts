import PQueue from 'p-queue';
import { GatewayError } from '../../../core/errors.ts';
import { categoryOf } from '../../../knowledge/documents/category.ts';
import { DocumentError } from '../../../knowledge/documents/document-error.ts';
import type { DocumentReader } from '../../../knowledge/documents/document-reader.ts';
import { CollectionError, type Passage, type PassageStore } from '../../../knowledge/passages/passage-store.ts';
import { failed, fileFailure } from '../../../workspace/failures.ts';
import { readBytes, withFile } from '../../../workspace/read-file.ts';
import type { Sandbox } from '../../../workspace/sandbox.ts';

const MAX_BYTES = 64 * 1024 ** 2;
/** Documents at a time: while a service makes the vectors of one, others are read. */
const AT_ONCE = 4;
/** The number of documents in a row that a service must fail to take before it counts as down: each of them has waited for it. */
const PATIENCE = 4;

export interface Ingestion {
  readonly sandbox: Sandbox;
  readonly reader: DocumentReader;
  readonly store: PassageStore;
  readonly collection: string;
  readonly signal: AbortSignal;
  /** Called with the number of documents done and the path of the last one. */
  readonly onDone: (count: number, path: string) => void;
}

export interface IngestReport {
  /** Chunks that were stored. */
  readonly chunks: number;
  /** Documents that were stored, blank ones included. */
  readonly stored: number;
  /** Errors, each with its document in front, in the order of the documents. */
  readonly errors: readonly string[];
}

interface Outcome {
  readonly chunks: number;
  readonly isStored: boolean;
  readonly error?: string;
}

/** Adds documents to a collection. Reports those that cannot be read, and goes on with the rest. */
export async function ingestDocuments(paths: readonly string[], ingestion: Ingestion): Promise<IngestReport> {
  const run = new IngestRun(ingestion);
  const queue = new PQueue({ concurrency: AT_ONCE });
  const outcomes = await Promise.all(paths.map((path) => queue.add(() => run.take(path)))).catch((error: unknown) => {
    queue.clear();
    throw error;
  });
  return {
    chunks: outcomes.reduce((sum, { chunks }) => sum + chunks, 0),
    stored: outcomes.filter(({ isStored }) => isStored).length,
    errors: outcomes.flatMap(({ error }) => (error === undefined ? [] : [error])),
  };
}

class IngestRun {
  readonly #ingestion: Ingestion;
  #done = 0;
  /** Documents one after the other that a service did not take. */
  #refused = 0;

  constructor(ingestion: Ingestion) {
    this.#ingestion = ingestion;
  }

  async take(path: string): Promise<Outcome> {
    this.#ingestion.signal.throwIfAborted();
    if (this.#refused >= PATIENCE)
      return { chunks: 0, isStored: false, error: `${path}: skipped, as the documents before it were refused` };
    const outcome = await this.#try(path);
    this.#ingestion.onDone(++this.#done, path);
    return outcome;
  }

  async #try(path: string): Promise<Outcome> {
    try {
      const outcome = await this.#store(path);
      this.#refused = 0;
      return outcome;
    } catch (error) {
      this.#ingestion.signal.throwIfAborted();
      if (error instanceof CollectionError) this.#refused++;
      return { chunks: 0, isStored: false, error: wordsOf(path, error) };
    }
  }

  async #store(path: string): Promise<Outcome> {
    const { sandbox, reader, store, collection, signal } = this.#ingestion;
    const chunks = await reader.read(path, await bytesOf(sandbox, path), signal);
    const category = categoryOf(path);
    const passages = chunks.map((chunk, chunkIndex): Passage => ({ ...chunk, source: path, category, chunkIndex }));
    const { note } = await store.replaceSource(collection, path, passages, signal);
    return { chunks: passages.length, isStored: true, ...(note !== undefined && { error: `${path}: ${note}` }) };
  }
}

async function bytesOf(sandbox: Sandbox, path: string): Promise<Uint8Array> {
  // As for a change: what only its owner may change, such as the config, is no document for all clients either.
  return sandbox.at(path, { follow: true, intent: 'change' }, (place) =>
    withFile(place, async (handle, { size }) => {
      // One more tells whether the file has grown meanwhile.
      const bytes = size > MAX_BYTES ? undefined : await readBytes(handle, 0, Number(size) + 1);
      if (bytes === undefined || bytes.length > MAX_BYTES)
        throw failed(path, `it has ${size} bytes, and a document may have ${MAX_BYTES}`);
      return bytes;
    }),
  );
}

/** @throws the error itself if it is not about this document, or a fault of ours */
function wordsOf(path: string, error: unknown): string {
  if (error instanceof DocumentError || error instanceof CollectionError) return `${path}: ${error.message}`;
  const failure = fileFailure(path, error);
  const isOfFile = failure instanceof GatewayError && OF_FILES.has(failure.code);
  if (!isOfFile) throw error;
  return failure.message;
}

const OF_FILES: ReadonlySet<string> = new Set(['FILE_FAILED', 'PATH_PROTECTED', 'OUTSIDE_WORKSPACE']);
