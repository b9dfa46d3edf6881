import type { OpenStream } from './open-stream.ts';

/** The stream that reports changes, and the one that will replace it once it is acknowledged. */
export class StreamPair {
  #current: OpenStream | undefined;
  #next: OpenStream | undefined;

  /** The stream that is acknowledged. */
  get current(): OpenStream | undefined {
    return this.#current;
  }

  /** The stream that is opened and not acknowledged yet. */
  get next(): OpenStream | undefined {
    return this.#next;
  }

  get newest(): OpenStream | undefined {
    return this.#next ?? this.#current;
  }

  /** Returns the stream of this id, the next one first. */
  find(id: number | undefined): OpenStream | undefined {
    if (id === undefined) return undefined;
    if (this.#next?.id === id) return this.#next;
    return this.#current?.id === id ? this.#current : undefined;
  }

  /** Sets the next stream; an earlier next one is closed. */
  follow(stream: OpenStream): void {
    this.#next?.close();
    this.#next = stream;
  }

  /** The next stream is acknowledged: it is the current one, and the one before it is closed. */
  promote(): void {
    this.#next?.stopTimer();
    this.#current?.close();
    this.#current = this.#next;
    this.#next = undefined;
  }

  /** Forgets a stream that has ended. Returns whether it was one of the two. */
  remove(stream: OpenStream): boolean {
    stream.stopTimer();
    if (stream === this.#next) this.#next = undefined;
    else if (stream === this.#current) this.#current = undefined;
    else return false;
    return true;
  }

  /** Closes both. */
  close(): void {
    this.#current?.close();
    this.#next?.close();
    this.forget();
  }

  /** Forgets both, whose connection is gone. */
  forget(): void {
    this.#current?.stopTimer();
    this.#next?.stopTimer();
    this.#current = undefined;
    this.#next = undefined;
  }
}
