import { stampOf } from './file-stamp.ts';

interface Remembered<T> {
  readonly stamp: string;
  readonly value: T;
  /** This process has written the file. */
  readonly isOwn: boolean;
}

/** Remembers what files have as long as they are not written, so that they are not read and parsed again. */
export class FileMemory<T> {
  readonly #known = new Map<string, Remembered<T>>();

  /** Returns what a file has; `undefined` if that is not known. */
  get(file: string): T | undefined {
    return this.#unchanged(file)?.value;
  }

  /** Notes what was read. `stamp` is that of the file before it was read: a write meanwhile is noticed then. */
  onRead(file: string, stamp: string | undefined, value: T): void {
    this.#note(file, stamp, value, false);
  }

  /** Notes what this process has written. */
  onWritten(file: string, stamp: string | undefined, value: T): void {
    this.#note(file, stamp, value, true);
  }

  /** Forgets what a file has. */
  forget(file: string): void {
    this.#known.delete(file);
  }

  /** Returns whether a file is as this process has written it. */
  isOwn(file: string): boolean {
    return this.#unchanged(file)?.isOwn === true;
  }

  #unchanged(file: string): Remembered<T> | undefined {
    const known = this.#known.get(file);
    return known !== undefined && known.stamp === stampOf(file) ? known : undefined;
  }

  #note(file: string, stamp: string | undefined, value: T, isOwn: boolean): void {
    if (stamp === undefined) this.#known.delete(file);
    else this.#known.set(file, { stamp, value, isOwn });
  }
}
