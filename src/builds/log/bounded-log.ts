import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../core/folders/make-folder.ts';
import { mebibytes } from '../../core/text/mebibytes.ts';
import { draftName, sweepDraftsOnce } from '../../store/drafts.ts';
import { Amount } from './amount.ts';
import { noteLine } from './notes.ts';

/** The time after a failed write before the next attempt, in milliseconds. */
const RETRY_MS = 1_000;
const COPIED_AT_ONCE = 256 * 1024;
const LINE_END = 0x0a;

export interface LogBounds {
  /** Number of bytes that are kept of the beginning. */
  readonly headBytes: number;
  /** Number of the newest bytes that are kept; up to twice as many while the build runs. */
  readonly tailBytes: number;
}

export const LOG_BOUNDS: LogBounds = { headBytes: 256 * 1024, tailBytes: 4 * 1024 * 1024 };

/**
 * A file of lines that keeps its beginning and its newest part, and says where lines are missing. A write that fails is no
 * error: the build goes on, and the file says that something is missing as soon as it can be written again. Its methods are
 * called one after the other.
 */
export class BoundedLog {
  readonly #file: string;
  readonly #bounds: LogBounds;
  #handle: FileHandle | undefined;
  #size = 0;
  #gap: Gap | undefined;
  #leftOut = new Amount();
  readonly #unwritten = new Amount();
  #fault: string | undefined;
  #retryAt = 0;

  constructor(file: string, bounds: LogBounds = LOG_BOUNDS) {
    this.#file = file;
    this.#bounds = bounds;
  }

  /** Appends whole lines. */
  async append(lines: string): Promise<void> {
    const bytes = Buffer.from(lines);
    const isWritten = await this.#attempt(async () => {
      await this.#write(bytes);
      await this.#shorten(2 * this.#bounds.tailBytes);
    });
    if (!isWritten) this.#unwritten.add(bytes);
  }

  /** Shows that the build goes on, to those who cannot see its process. */
  async touch(): Promise<void> {
    const now = new Date();
    // Only a sign of life: a disk that fails is found by the next write.
    await this.#handle?.utimes(now, now).catch(() => undefined);
  }

  /** Brings the file to its final size. Returns why its end is missing; `undefined` if it is there. */
  async close(): Promise<string | undefined> {
    this.#retryAt = 0;
    await this.#attempt(() => this.#shorten(this.#bounds.tailBytes));
    const missing = this.#fault === undefined ? undefined : this.#missing(this.#fault);
    await this.#handle?.close().catch(() => undefined);
    this.#handle = undefined;
    return missing;
  }

  /** Returns whether it was done. */
  async #attempt(work: () => Promise<void>): Promise<boolean> {
    if (performance.now() < this.#retryAt) return false;
    try {
      if (this.#fault !== undefined) await this.#write(Buffer.from(noteLine(this.#missing(this.#fault))));
      this.#fault = undefined;
      this.#unwritten.clear();
      await work();
      return true;
    } catch (error) {
      this.#fault = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
      this.#retryAt = performance.now() + RETRY_MS;
      return false;
    }
  }

  #missing(fault: string): string {
    return `the log is incomplete: ${this.#unwritten.text} could not be written here (${fault})`;
  }

  /** @throws the system's error; then no part of it is left */
  async #write(bytes: Buffer): Promise<void> {
    this.#handle ??= await this.#open();
    try {
      await writeAll(this.#handle, bytes);
    } catch (error) {
      await this.#handle.truncate(this.#size).catch(() => undefined);
      throw error;
    }
    this.#size += bytes.length;
  }

  async #open(): Promise<FileHandle> {
    makeFolder(path.dirname(this.#file), 0o700);
    sweepDraftsOnce(path.dirname(this.#file));
    return open(this.#file, 'ax+', 0o600);
  }

  /** Leaves out what is between the beginning and the newest part, where that has become longer than `most` bytes. */
  async #shorten(most: number): Promise<void> {
    const tailStart = this.#gap?.end ?? this.#bounds.headBytes;
    if (this.#handle === undefined || this.#size - tailStart <= most) return;
    const draft = draftName(this.#file);
    const shorter = await open(draft, 'ax+', 0o600);
    try {
      const state = await this.#copyTo(shorter, this.#handle);
      await rename(draft, this.#file);
      this.#take(state);
    } catch (error) {
      await shorter.close();
      await rm(draft, { force: true });
      throw error;
    }
    await this.#handle.close();
    this.#handle = shorter;
  }

  #take({ size, gap, leftOut }: Shortened): void {
    this.#size = size;
    this.#gap = gap;
    this.#leftOut = leftOut;
  }

  async #copyTo(shorter: FileHandle, whole: FileHandle): Promise<Shortened> {
    const start = this.#gap?.start ?? (await lineEndBefore(whole, this.#bounds.headBytes));
    const end = await lineStartFrom(whole, this.#size - this.#bounds.tailBytes);
    const leftOut = this.#leftOut.copy();
    for await (const part of partsOf(whole, this.#gap?.end ?? start, end)) leftOut.add(part);
    const kept = mebibytes(this.#bounds.tailBytes);
    const note = `\n${noteLine(`${leftOut.text} are left out here: a log keeps its beginning and its newest ${kept}`)}`;
    for await (const part of partsOf(whole, 0, start)) await writeAll(shorter, part);
    await writeAll(shorter, Buffer.from(note));
    for await (const part of partsOf(whole, end, this.#size)) await writeAll(shorter, part);
    const gapEnd = start + Buffer.byteLength(note);
    return { size: gapEnd + this.#size - end, gap: { start, end: gapEnd }, leftOut };
  }
}

/** Parts of a file between which something was left out. */
interface Gap {
  /** The end of the beginning. */
  readonly start: number;
  /** The start of the newest part. */
  readonly end: number;
}

interface Shortened {
  readonly size: number;
  readonly gap: Gap;
  readonly leftOut: Amount;
}

async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) done += (await handle.write(bytes, done)).bytesWritten;
}

async function* partsOf(handle: FileHandle, from: number, to: number): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.alloc(Math.min(COPIED_AT_ONCE, Math.max(0, to - from)));
  for (let at = from; at < to; ) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, to - at), at);
    if (bytesRead === 0) throw new Error('the file has become shorter');
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Returns where the last line ends that ends up to `most`; where none does, where a character ends. */
async function lineEndBefore(handle: FileHandle, most: number): Promise<number> {
  const { buffer } = await handle.read(Buffer.alloc(most + 1), 0, most + 1, 0);
  const end = buffer.lastIndexOf(LINE_END, most - 1) + 1;
  if (end > 0) return end;
  let at = most;
  while (at > 0 && isInCharacter(buffer[at]!)) at--;
  return at;
}

/** Returns whether a byte of UTF-8 is not the first one of its character. */
function isInCharacter(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Returns where the first line begins that begins at `least` or behind; where none does, where a character begins. */
async function lineStartFrom(handle: FileHandle, least: number): Promise<number> {
  let start = least;
  for (let at = least - 1; ; at += COPIED_AT_ONCE) {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(COPIED_AT_ONCE), 0, COPIED_AT_ONCE, at);
    const end = buffer.subarray(0, bytesRead).indexOf(LINE_END);
    if (end !== -1) return at + end + 1;
    if (at === least - 1) while (start - at < bytesRead && isInCharacter(buffer[start - at]!)) start++;
    if (bytesRead < COPIED_AT_ONCE) return start;
  }
}
