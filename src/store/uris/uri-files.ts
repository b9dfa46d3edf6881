import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync } from 'node:fs';
import path from 'node:path';
import { appendAll } from '../../core/files/write-all.ts';
import { makeFolder } from '../../core/folders/make-folder.ts';
import type { UriLog, UriRecord } from '../../core/uris/uri-log.ts';
import { writeWhole } from '../write-whole.ts';

const VERSION = 1;
const NEWLINE = 0x0a;
const NO_FILE: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR']);

export interface UriFilesOptions {
  readonly folder: string;
  /** Path of the config: equal keys in other configs are other upstreams. */
  readonly config: string;
  onError(error: unknown, message: string): void;
}

/** The point up to which the file was read. */
interface Position {
  readonly inode: number;
  readonly offset: number;
}

/**
 * Keeps who owns which uri in a file of lines, one for each config. Lines are only added, each batch in one write, so that
 * gateways which run at the same time agree about their order without a lock.
 */
export class UriFiles implements UriLog {
  readonly #options: UriFilesOptions;
  readonly #file: string;
  #position: Position | undefined;
  /** The last batch could not be written, and the log says so. */
  #isUnwritten = false;

  constructor(options: UriFilesOptions) {
    this.#options = options;
    const hash = createHash('sha256').update(options.config).digest('hex').slice(0, 16);
    this.#file = path.join(options.folder, `${hash}.jsonl`);
  }

  read(): readonly UriRecord[] {
    this.#position = undefined;
    try {
      return this.#withFile('r', (file) => this.#readFrom(file, 0));
    } catch (error) {
      if (!NO_FILE.has(codeOf(error))) this.#options.onError(error, 'the owners of uris cannot be read');
      return [];
    }
  }

  append(records: readonly UriRecord[]): readonly UriRecord[] | undefined {
    // A file that is no such file is put aside before anything is added to it.
    const before = this.#position === undefined ? this.read() : [];
    try {
      makeFolder(this.#options.folder, 0o700);
      const added = this.#withFile('a+', (file) => this.#appendTo(file, records));
      this.#isUnwritten = false;
      return added === undefined ? undefined : [...before, ...added];
    } catch (error) {
      // Once: with a full disk every batch fails.
      if (!this.#isUnwritten)
        this.#options.onError(error, 'the owners of uris cannot be written; they hold until the gateway ends');
      this.#isUnwritten = true;
      return [...before, ...records];
    }
  }

  replace(records: readonly UriRecord[]): void {
    try {
      writeWhole(this.#file, this.#header() + linesOf(records));
      this.#position = this.#withFile('r', (file) => {
        const { ino: inode, size: offset } = fstatSync(file);
        return { inode, offset };
      });
    } catch (error) {
      this.#options.onError(error, 'the owners of uris cannot be shortened');
    }
  }

  #appendTo(file: number, records: readonly UriRecord[]): readonly UriRecord[] | undefined {
    const { ino: inode, size } = fstatSync(file);
    const position = this.#position;
    if (position !== undefined && (position.inode !== inode || size < position.offset)) return undefined;
    const head = size === 0 ? this.#header() : endsOpen(file, size) ? '\n' : '';
    appendAll(file, head + linesOf(records));
    return this.#readFrom(file, position?.offset ?? 0);
  }

  /** Returns the records from there to the last whole line: what follows it is being written by another gateway. */
  #readFrom(file: number, offset: number): readonly UriRecord[] {
    const { ino: inode, size } = fstatSync(file);
    const bytes = Buffer.alloc(size - offset);
    const length = readSync(file, bytes, 0, bytes.length, offset);
    const end = bytes.subarray(0, length).lastIndexOf(NEWLINE) + 1;
    this.#position = { inode, offset: offset + end };
    const lines = bytes.toString('utf8', 0, end).split('\n');
    if (offset > 0) return lines.flatMap(recordIn);
    const [header = '', ...rest] = lines;
    if (size === 0 || isHeader(header)) return rest.flatMap(recordIn);
    this.#setAside();
    return [];
  }

  /** The file is no file of ours, or of a later version. */
  #setAside(): void {
    const aside = `${this.#file}.corrupt-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    renameSync(this.#file, aside);
    this.#position = undefined;
    this.#options.onError(
      new Error(`no owners of uris in ${this.#file}`),
      `the owners of uris were damaged; see ${aside}`,
    );
  }

  #header(): string {
    return `${JSON.stringify({ version: VERSION, config: this.#options.config })}\n`;
  }

  #withFile<T>(flags: 'r' | 'a+', work: (file: number) => T): T {
    const file = openSync(this.#file, flags, 0o600);
    try {
      return work(file);
    } finally {
      closeSync(file);
    }
  }
}

function linesOf(records: readonly UriRecord[]): string {
  return records.map((record) => `${lineOf(record)}\n`).join('');
}

function lineOf(record: UriRecord): string {
  if ('released' in record) return JSON.stringify({ released: record.released });
  const { key } = record;
  return JSON.stringify('digest' in record ? { key, digest: record.digest } : { key, uri: record.uri });
}

/** A line that cannot be read, such as one of which only a part was written, is no record. */
function recordIn(line: string): UriRecord[] {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return [];
  }
  const { key, uri, digest, released } = (value ?? {}) as Record<string, unknown>;
  if (typeof released === 'string') return [{ released }];
  if (typeof key !== 'string') return [];
  if (typeof uri === 'string') return [{ key, uri }];
  return typeof digest === 'string' ? [{ key, digest }] : [];
}

function isHeader(line: string): boolean {
  try {
    return (JSON.parse(line) as { version?: unknown } | null)?.version === VERSION;
  } catch {
    return false;
  }
}

/** Returns true if the file ends in the middle of a line, because its writer was killed. */
function endsOpen(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last[0] !== NEWLINE;
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
