import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readdirSync, readSync, type Stats } from 'node:fs';
import path from 'node:path';
import { auditFileName } from '../audit-file-name.ts';

const LINE_END = 10;
/** Larger parts make fewer transactions, and hold the lock of the database for longer. */
const CHUNK_BYTES = 512 * 1024;
const ID_CHARACTERS = 24;

/** Whole lines of a file, from an offset on. */
export interface Lines {
  readonly bytes: Buffer;
  /** The offset behind the last line. */
  readonly end: number;
}

/** A file of the audit, open for reading. */
export class AuditFile {
  /** 0 for the file that is written. */
  readonly number: number;
  /** Identifies the file by its first line, so that it may be renamed or moved; `undefined` while it has no line. */
  readonly id: string | undefined;
  readonly #descriptor: number;

  constructor(descriptor: number, number: number) {
    this.#descriptor = descriptor;
    this.number = number;
    const first = this.#firstLine();
    this.id = first === undefined ? undefined : hash('sha256', first, 'hex').slice(0, ID_CHARACTERS);
  }

  /** The status of the file now. */
  get status(): Stats {
    return fstatSync(this.#descriptor);
  }

  /** Returns some of the lines that begin at an offset; `undefined` if there is no whole line. */
  linesFrom(offset: number): Lines | undefined {
    for (let size = CHUNK_BYTES; ; size *= 2) {
      const bytes = this.#read(offset, size);
      const end = bytes.lastIndexOf(LINE_END) + 1;
      if (end > 0) return { bytes: bytes.subarray(0, end), end: offset + end };
      if (bytes.length < size) return undefined;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #firstLine(): Buffer | undefined {
    const lines = this.linesFrom(0)?.bytes;
    return lines?.subarray(0, lines.indexOf(LINE_END));
  }

  #read(offset: number, size: number): Buffer {
    const bytes = Buffer.allocUnsafe(size);
    return bytes.subarray(0, readSync(this.#descriptor, bytes, 0, size, offset));
  }
}

/**
 * Opens the file of the audit and those that were put aside, the oldest first. None is missed while they are put
 * aside: they are opened from the newest on, so that one whose name changes meanwhile is seen twice rather than never.
 */
export function openAuditFiles(file: string): AuditFile[] {
  const files = new Map<string, AuditFile>();
  for (const number of numbersOf(file)) {
    const opened = openFile(auditFileName(file, number), number);
    if (opened === undefined) continue;
    const { dev, ino } = opened.status;
    const name = `${dev}:${ino}`;
    if (files.has(name)) opened.close();
    else files.set(name, opened);
  }
  return [...files.values()].reverse();
}

function numbersOf(file: string): number[] {
  const { dir, name, ext } = path.parse(file);
  const numbers = namesIn(dir).flatMap((found) => {
    if (found === `${name}${ext}`) return [0];
    if (!found.startsWith(`${name}.`) || !found.endsWith(ext)) return [];
    const number = found.slice(name.length + 1, found.length - ext.length);
    return /^[1-9]\d{0,5}$/.test(number) ? [Number(number)] : [];
  });
  return numbers.sort((a, b) => a - b);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function openFile(name: string, number: number): AuditFile | undefined {
  try {
    return new AuditFile(openSync(name, 'r'), number);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
