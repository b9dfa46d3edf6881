import { Turns } from '../../../core/timing/turns.ts';
import type { KnowledgeStore } from '../../../store/knowledge/knowledge-store.ts';
import type { Space } from '../../../store/knowledge/rows.ts';
import type { FileToPrepare } from '../texts/prepare-file.ts';
import type { MissingVectors } from './missing-vectors.ts';
import type { Parsers } from './parsers.ts';
import { Writer } from './writer.ts';

export interface FileUpdatesContext {
  readonly store: Pick<KnowledgeStore, 'source' | 'touch' | 'write'>;
  readonly parsers: Pick<Parsers, 'prepare'>;
}

/** Reads single files again and puts them into the index, in the order in which they are read. */
export class FileUpdates {
  readonly #context: FileUpdatesContext;
  readonly #vectors: Pick<MissingVectors, 'fill'>;
  readonly #signal: AbortSignal;
  readonly #turns = new Turns();

  /** @param signal ends all updates */
  constructor(context: FileUpdatesContext, vectors: Pick<MissingVectors, 'fill'>, signal: AbortSignal) {
    this.#context = context;
    this.#vectors = vectors;
    this.#signal = signal;
  }

  /** Returns those of the paths that are in the index. */
  async known(space: Space, paths: readonly string[]): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (const file of paths) if ((await this.#context.store.source(space.number, file)) !== undefined) known.add(file);
    return known;
  }

  /** Reads files again that are not as the index has them. */
  async update(space: Space, paths: readonly string[]): Promise<void> {
    const known = new Map(
      await Promise.all(
        paths.map(async (path) => [path, await this.#context.store.source(space.number, path)] as const),
      ),
    );
    const found = new Map(
      [...known].flatMap(([path, source]) => (source === undefined ? [] : [[path, source] as const])),
    );
    const files = paths.map((path) => ({ path, knownHash: found.get(path)?.hash ?? '' }));
    await this.write(space, files, new Writer(this.#context.store, space, found));
  }

  /** Reads files and writes them, with what the writer has already. */
  async write(space: Space, files: readonly FileToPrepare[], writer: Writer): Promise<void> {
    // Files are written in the order in which they are read.
    const endTurn = await this.#turns.next();
    try {
      for await (const prepared of this.#context.parsers.prepare(space.place, files, this.#signal))
        await writer.add(prepared);
      await writer.flush();
    } finally {
      endTurn();
    }
    if (writer.filesIndexed > 0) this.#vectors.fill(space);
  }
}
