import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { NewSource, SourceRow, Space } from '../../../store/knowledge/rows.ts';
import type { PreparedFile } from '../texts/prepare-file.ts';

/** Limits of one transaction: they bound what is lost when the process is killed, and how long others wait. */
const MOST_FILES = 200;
const MOST_CHUNKS = 1_500;
const MAX_ERRORS = 100;

type Touched = Pick<SourceRow, 'number' | 'size' | 'mtimeMs' | 'ino'>;

type WriterStore = Pick<KnowledgeStore, 'touch' | 'write'>;

/** Puts files into the index as they come, some hundred at a time. */
export class Writer {
  readonly #store: WriterStore;
  readonly #space: Space;
  readonly #known: ReadonlyMap<string, SourceRow>;
  readonly errors: string[] = [];
  filesIndexed = 0;
  chunksCreated = 0;
  failures = 0;
  #sources: NewSource[] = [];
  #chunks = 0;
  #touched: Touched[] = [];
  #gone: number[] = [];

  constructor(store: WriterStore, space: Space, known: ReadonlyMap<string, SourceRow>) {
    this.#store = store;
    this.#space = space;
    this.#known = known;
  }

  fail(reason: string): void {
    this.failures += 1;
    if (this.errors.length < MAX_ERRORS) this.errors.push(reason);
  }

  remove(sources: readonly number[]): void {
    this.#gone.push(...sources);
  }

  async add(file: PreparedFile): Promise<void> {
    if (file.kind === 'source') this.#addSource(file.source);
    if (file.kind === 'same') this.#addTouched(file);
    if (file.kind === 'gone') this.#removePath(file.path);
    // A file that could not be read now is no longer shown: it may have changed.
    if (file.kind === 'failure') {
      this.fail(file.reason);
      this.#removePath(file.path);
    }
    if (this.#sources.length + this.#touched.length >= MOST_FILES || this.#chunks >= MOST_CHUNKS) await this.flush();
  }

  /** Writes what has come so far. */
  async flush(): Promise<void> {
    const [sources, gone, touched] = [this.#sources, this.#gone, this.#touched];
    [this.#sources, this.#gone, this.#touched, this.#chunks] = [[], [], [], 0];
    if (touched.length > 0) await this.#store.touch(touched);
    if (sources.length + gone.length > 0) await this.#store.write(this.#space, sources, gone);
    this.filesIndexed += sources.length;
    for (const { chunks } of sources) this.chunksCreated += chunks.length;
  }

  #addSource(source: NewSource): void {
    this.#sources.push(source);
    this.#chunks += source.chunks.length;
  }

  #addTouched({ path, ...facts }: Extract<PreparedFile, { readonly kind: 'same' }>): void {
    const number = this.#known.get(path)?.number;
    if (number !== undefined) this.#touched.push({ number, size: facts.size, mtimeMs: facts.mtimeMs, ino: facts.ino });
  }

  #removePath(path: string): void {
    const number = this.#known.get(path)?.number;
    if (number !== undefined) this.#gone.push(number);
  }
}
