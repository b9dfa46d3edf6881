import { rmSync, statSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import type { AuditIndex, AuditRow, IndexedPart } from '../../core/stores/audit-store.ts';
import { takeFileLock } from '../../store/file-lock.ts';
import { auditFileName } from '../audit-file-name.ts';
import { type AuditFile, openAuditFiles } from './audit-files.ts';
import { rowsOfLines } from './rows-of-lines.ts';

const NOTHING: IndexedPart = { to: 0, losses: 0 };
/** A gateway may still write to a file that another one has put aside a moment ago. */
const SETTLED_MS = 1_000;

export interface AuditIndexerOptions {
  readonly index: AuditIndex;
  /** The file that is written. */
  readonly file: string;
  /** The number of files that are kept, including the one that is written. */
  readonly files: number;
}

/** Brings the lines of the audit's files into the index: each of them once, also if several processes do so at once. */
export class AuditIndexer {
  readonly #options: AuditIndexerOptions;

  constructor(options: AuditIndexerOptions) {
    this.#options = options;
  }

  /**
   * Indexes what the files have now, the oldest first, and deletes indexed files that are too many.
   * @throws GatewayError of the store; the system's error when a file cannot be read
   */
  async run(signal?: AbortSignal): Promise<void> {
    const files = openAuditFiles(this.#options.file);
    try {
      for (const file of files) await this.#add(file, signal);
      if (signal?.aborted !== true) await this.#deleteIndexed(files);
    } finally {
      for (const file of files) file.close();
    }
  }

  async #add(file: AuditFile, signal: AbortSignal | undefined): Promise<void> {
    const { index } = this.#options;
    const { id } = file;
    if (id === undefined) return;
    const known = await index.indexedPart(id);
    const storedUntil = known === undefined ? await this.#storedUntil(file) : undefined;
    const isNew = ({ at }: AuditRow) => storedUntil === undefined || at > storedUntil;
    let part = known ?? NOTHING;
    while (signal?.aborted !== true) {
      // The size is read after the part: of what is indexed by then, all is in the file, unless it has lost its end.
      const { size } = file.status;
      const lines = size > part.to ? file.linesFrom(part.to) : undefined;
      if (size < part.to) await index.cut(id, part, size);
      else if (lines === undefined) return;
      else await index.add(id, part, lines.end, rowsOfLines(lines.bytes, part.to).filter(isNew));
      part = (await index.indexedPart(id)) ?? NOTHING;
      await turn();
    }
  }

  /** Returns the time up to which an earlier version of Viaduct has stored the calls of a file. */
  async #storedUntil(file: AuditFile): Promise<number | undefined> {
    const lines = file.linesFrom(0);
    const first = lines && rowsOfLines(lines.bytes, 0)[0];
    return first && this.#options.index.storedUntil(first.at);
  }

  async #deleteIndexed(files: readonly AuditFile[]): Promise<void> {
    for (const file of files) {
      if (file.number < this.#options.files || !(await this.#isIndexed(file))) return;
      this.#delete(file);
    }
  }

  async #isIndexed({ id, status: { size, mtimeMs } }: AuditFile): Promise<boolean> {
    if (Date.now() - mtimeMs < SETTLED_MS) return false;
    return id === undefined || ((await this.#options.index.indexedPart(id)) ?? NOTHING).to >= size;
  }

  /** Deletes a file, unless its name has changed since it was opened. */
  #delete({ number, status: { dev, ino } }: AuditFile): void {
    const release = takeFileLock(`${this.#options.file}.lock`);
    if (release === undefined) return;
    try {
      const name = auditFileName(this.#options.file, number);
      const named = statSync(name, { throwIfNoEntry: false });
      if (named?.dev === dev && named.ino === ino) rmSync(name);
    } finally {
      release();
    }
  }
}
