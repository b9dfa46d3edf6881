import { mebibytes } from '../../core/text/mebibytes.ts';

const LINE_END = 0x0a;

/** Amount of output that is missing. */
export class Amount {
  #bytes = 0;
  #lines = 0;

  add(text: Uint8Array): void {
    this.#bytes += text.length;
    for (let at = text.indexOf(LINE_END); at !== -1; at = text.indexOf(LINE_END, at + 1)) this.#lines++;
  }

  copy(): Amount {
    const copy = new Amount();
    copy.#bytes = this.#bytes;
    copy.#lines = this.#lines;
    return copy;
  }

  clear(): void {
    this.#bytes = 0;
    this.#lines = 0;
  }

  /** `1 line (12 bytes)`, `23456 lines (1.2 MiB)`. */
  get text(): string {
    const lines = `${this.#lines} ${this.#lines === 1 ? 'line' : 'lines'}`;
    return `${lines} (${this.#bytes < 100_000 ? `${this.#bytes} bytes` : mebibytes(this.#bytes)})`;
  }
}
