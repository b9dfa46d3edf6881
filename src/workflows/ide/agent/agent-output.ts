import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { LineSplitter } from '../../../core/text/line-splitter.ts';

/** Lines of standard error that are kept. */
const MAX_LINES = 20;

export interface AgentOutputOptions {
  readonly maxBytes: number;
  /** Called when it has written more than that. Nothing is kept from then on. */
  readonly onTooMuch: () => void;
  /** Gets each line of standard output; absent if they are not wanted. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** Output of an agent: all of its standard output, and the end of its standard error. */
export class AgentOutput {
  /** Resolves when both streams are closed. */
  readonly closed: Promise<void>;
  readonly #options: AgentOutputOptions;
  readonly #streams: readonly Readable[];
  readonly #chunks: Buffer[] = [];
  readonly #errors: string[] = [];
  readonly #decoder = new StringDecoder('utf8');
  #line = '';
  #bytes = 0;

  constructor(stdout: Readable, stderr: Readable, options: AgentOutputOptions) {
    this.#options = options;
    this.#streams = [stdout, stderr];
    const errors = new LineSplitter((line) => this.#onError(line));
    stdout.on('data', (chunk: Buffer) => this.#count(chunk) && this.#onOutput(chunk));
    stderr.on('data', (chunk: Buffer) => this.#count(chunk) && errors.push(chunk));
    stderr.once('close', () => errors.end());
    this.closed = Promise.all(this.#streams.map(closeOf)).then(() => undefined);
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  /** The last lines of standard error, oldest first. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  /** Reads no more, also where a stranger still holds the pipes. */
  end(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  #count(chunk: Buffer): boolean {
    const { maxBytes, onTooMuch } = this.#options;
    const before = this.#bytes;
    this.#bytes += chunk.length;
    if (this.#bytes <= maxBytes) return true;
    if (before <= maxBytes) onTooMuch();
    return false;
  }

  #onOutput(chunk: Buffer): void {
    this.#chunks.push(chunk);
    const { onLine } = this.#options;
    if (onLine === undefined) return;
    const [first = '', ...more] = this.#decoder.write(chunk).split('\n');
    this.#line += first;
    for (const line of more) {
      onLine(this.#line);
      this.#line = line;
    }
  }

  #onError(line: string): void {
    this.#errors.push(line);
    if (this.#errors.length > MAX_LINES) this.#errors.shift();
  }
}

function closeOf(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    // Output read until then counts.
    stream.on('error', () => resolve());
    stream.once('close', resolve);
  });
}
