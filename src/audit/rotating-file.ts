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
import { appendAll } from '../core/files/write-all.ts';
import { makeFolder } from '../core/folders/make-folder.ts';
import { takeFileLock } from '../store/file-lock.ts';

export interface RotationRules {
  readonly file: string;
  /** The size at which the file is rotated, in bytes. */
  readonly maxBytes: number;
  /** The number of files, including the one being written; at least two. */
  readonly files: number;
}

const LINE_END = '\n';

/**
 * A file of lines to which several processes may append. When it is full it becomes `NAME.1.EXT`, the previous one
 * becomes `NAME.2.EXT`, and the oldest is deleted. Each line is complete in one of the files, regardless of which
 * process rotates them.
 */
export class RotatingFile {
  readonly #rules: RotationRules;
  #descriptor: number | undefined;
  /** The file's status after the last line was written. */
  #written: Stats | undefined;

  constructor(rules: RotationRules) {
    this.#rules = rules;
  }

  /**
   * Appends whole lines, at once. Each call is one write, which the system does not mix with those of others.
   * @throws the system's error
   */
  append(lines: string): void {
    if (this.#descriptor !== undefined && !this.#isCurrent(this.#descriptor)) this.close();
    const bytes = Buffer.from(lines);
    let after = this.#write(bytes);
    // Between the look at its name and the write, the file was rotated and deleted, so it can no longer be read.
    while (after.nlink === 0) {
      this.close();
      after = this.#write(bytes);
    }
    this.#written = after;
  }

  /**
   * Puts the file aside where it is full. What was appended stays where it is if that fails.
   * @throws the system's error
   */
  rotateWhenFull(): void {
    const written = this.#written;
    if (written !== undefined && written.size >= this.#rules.maxBytes) this.#rotate(written);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#written = undefined;
  }

  #write(bytes: Buffer): Stats {
    this.#descriptor ??= this.#open();
    appendAll(this.#descriptor, bytes);
    return fstatSync(this.#descriptor);
  }

  #open(): number {
    makeFolder(path.dirname(this.#rules.file), 0o700);
    const descriptor = openSync(this.#rules.file, 'a+', 0o600);
    // The writer of the last line was ended in the middle of it, or had no space left: it must not damage our line.
    if (isInLine(descriptor)) writeSync(descriptor, LINE_END);
    return descriptor;
  }

  /** Returns true if the name still refers to the open file. */
  #isCurrent(descriptor: number): boolean {
    return isSame(fstatSync(descriptor), statSync(this.#rules.file, { throwIfNoEntry: false }));
  }

  /** Puts `full` aside, unless another process does it, or has done it already. */
  #rotate(full: Stats): void {
    const release = takeFileLock(`${this.#rules.file}.lock`);
    if (release === undefined) return;
    try {
      if (isSame(full, statSync(this.#rules.file, { throwIfNoEntry: false }))) this.#shift();
    } finally {
      release();
    }
    this.close();
  }

  /** Those below the first number that is free move up, the oldest first; where none is free, the oldest is lost. */
  #shift(): void {
    let free = 1;
    while (free < this.#rules.files - 1 && existsSync(this.#name(free))) free++;
    for (let number = free; number >= 1; number--) renameSync(this.#name(number - 1), this.#name(number));
  }

  #name(number: number): string {
    const { dir, name, ext } = path.parse(this.#rules.file);
    return path.join(dir, number === 0 ? `${name}${ext}` : `${name}.${number}${ext}`);
  }
}

function isInLine(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() !== LINE_END;
}

function isSame(one: Stats, other: Stats | undefined): boolean {
  return other !== undefined && one.ino === other.ino && one.dev === other.dev;
}
