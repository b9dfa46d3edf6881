import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { appendLines } from '../core/files/write-all.ts';
import { makeFolder } from '../core/folders/make-folder.ts';
import { takeFileLock } from '../store/file-lock.ts';
import { auditFileName } from './audit-file-name.ts';

export interface RotationRules {
  readonly file: string;
  /** The size at which the file is rotated, in bytes. */
  readonly maxBytes: number;
  /** The number of files, including the one being written; at least two. */
  readonly files: number;
}

const LINE_END = '\n';
/**
 * The time for which the open file is taken for the one of its name, in milliseconds: a look costs as much as to append a
 * line. Lines that another process has put aside meanwhile are indexed all the same.
 */
const KNOWN_MS = 50;

/** What became of a file that was looked at: it had room, was put aside, or was put aside and another one is gone. */
type Rotation = 'none' | 'put-aside' | 'oldest-lost';

/**
 * A file of lines to which several processes may append. When it is full it becomes `NAME.1.EXT`, the previous one
 * becomes `NAME.2.EXT`, and the oldest is deleted. Each line is complete in one of the files, regardless of which
 * process rotates them.
 */
export class RotatingFile {
  readonly #rules: RotationRules;
  #descriptor: number | undefined;
  /** The open file, as it was when it was opened. */
  #opened: Stats | undefined;
  /** The size of the file after the last line was written, as far as this process knows. */
  #size = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(rules: RotationRules) {
    this.#rules = rules;
  }

  /**
   * Appends whole lines, at once. Each call is one write, which the system does not mix with those of others.
   * @throws the system's error; whole lines that had room are in the file
   */
  append(lines: string): void {
    const now = performance.now();
    if (this.#descriptor === undefined || now - this.#lookedAt >= KNOWN_MS) this.#look(now);
    this.#descriptor ??= this.#open();
    this.#size += appendLines(this.#descriptor, lines);
  }

  /**
   * Puts the file aside where it is full. What was appended stays where it is if that fails.
   * @throws the system's error
   */
  rotateWhenFull(): Rotation {
    return this.#opened !== undefined && this.#size >= this.#rules.maxBytes ? this.#rotate(this.#opened) : 'none';
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#opened = undefined;
  }

  /** Closes the open file if its name belongs to another one by now, or to none. */
  #look(now: number): void {
    this.#lookedAt = now;
    const named = statSync(this.#rules.file, { throwIfNoEntry: false });
    if (this.#descriptor !== undefined && !isSame(this.#opened, named)) this.close();
    this.#size = named?.size ?? 0;
  }

  #open(): number {
    makeFolder(path.dirname(this.#rules.file), 0o700);
    const descriptor = openSync(this.#rules.file, 'a+', 0o600);
    // The writer of the last line was ended in the middle of it, or had no space left: it must not damage our line.
    if (isInLine(descriptor)) writeSync(descriptor, LINE_END);
    this.#opened = fstatSync(descriptor);
    return descriptor;
  }

  /** Puts `full` aside, unless another process does it, or has done it already. */
  #rotate(full: Stats): Rotation {
    const release = takeFileLock(`${this.#rules.file}.lock`);
    if (release === undefined) return 'none';
    let rotation: Rotation = 'none';
    try {
      if (isSame(full, statSync(this.#rules.file, { throwIfNoEntry: false }))) rotation = this.#shift();
    } finally {
      release();
    }
    this.close();
    return rotation;
  }

  /** Those below the first number that is free move up, the oldest first; where none is free, the oldest is lost. */
  #shift(): Rotation {
    const last = this.#rules.files - 1;
    let free = 1;
    while (free < last && existsSync(this.#name(free))) free++;
    const isLost = existsSync(this.#name(free));
    for (let number = free; number >= 1; number--) renameSync(this.#name(number - 1), this.#name(number));
    return isLost ? 'oldest-lost' : 'put-aside';
  }

  #name(number: number): string {
    return auditFileName(this.#rules.file, number);
  }
}

function isInLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() !== LINE_END;
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}
