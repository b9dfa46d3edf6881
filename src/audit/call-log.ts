import type { CallAudit, EndedCall } from '../core/providers/call-audit.ts';
import type { Log } from '../telemetry/log.ts';
import type { Masker } from '../telemetry/masker.ts';
import { Batch, type BatchedCall } from './batch.ts';
import { RotatingFile, type RotationRules } from './rotating-file.ts';
import type { ArgumentsForm } from './shown-arguments.ts';

/** The time in which lines are collected before they are written together, in milliseconds. */
const BATCH_MS = 25;

export interface CallLogRules extends RotationRules {
  readonly enabled: boolean;
  readonly arguments: ArgumentsForm;
}

export interface CallLogOptions {
  readonly rules: CallLogRules;
  readonly masker: Masker;
  readonly log: Log;
  /** Gets them too, once they are in the file or cannot be. Must return at once. */
  readonly onWritten: (calls: readonly BatchedCall[]) => void;
}

/**
 * Writes a line a call. While a call runs, and when it ends, nothing is done but to keep it. Its line is made when the
 * answers of this turn of the event loop have left: what is kept for longer costs the garbage collector more than the
 * line.
 */
export class CallLog implements CallAudit {
  readonly #options: CallLogOptions;
  #rules: CallLogRules;
  #file: RotatingFile;
  #ended: EndedCall[] = [];
  #batch: Batch;
  #timer: NodeJS.Timeout | undefined;
  /** Lines that could not be written since the last that could. */
  #lost = 0;
  #isStuck = false;

  constructor(options: CallLogOptions) {
    this.#options = options;
    this.#rules = options.rules;
    this.#file = new RotatingFile(options.rules);
    this.#batch = this.#newBatch();
  }

  get isOn(): boolean {
    return this.#rules.enabled;
  }

  onCallEnded(call: EndedCall): void {
    if (this.#ended.push(call) === 1) setImmediate(this.#onTurn);
  }

  /** Applies new rules from now on. */
  configure(rules: CallLogRules): void {
    this.flush();
    this.#file.close();
    this.#rules = rules;
    this.#file = new RotatingFile(rules);
    this.#batch = this.#newBatch();
  }

  /** Writes what has ended so far before it returns. Never throws. */
  flush(): void {
    this.#addEnded();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#batch;
    if (batch.calls.length === 0) return;
    this.#batch = this.#newBatch();
    this.#write(batch);
    this.#options.onWritten(batch.calls);
  }

  close(): void {
    this.flush();
    this.#file.close();
  }

  readonly #onTurn = (): void => {
    this.#addEnded();
    if (this.#batch.calls.length > 0) this.#timer ??= setTimeout(() => this.flush(), BATCH_MS).unref();
  };

  #newBatch(): Batch {
    return new Batch(this.#rules.arguments, this.#options.masker);
  }

  #addEnded(): void {
    const ended = this.#ended;
    this.#ended = [];
    for (const call of ended) {
      try {
        this.#batch.add(call);
      } catch (error) {
        const { method } = call.text.message;
        this.#options.log.error({ error, method }, 'a fault of the gateway while it wrote the audit');
      }
    }
  }

  #write({ calls, lines }: Batch): void {
    const { log } = this.#options;
    const { file } = this.#rules;
    try {
      this.#file.append(lines);
      if (this.#lost > 0) log.warn({ event: 'audit-file', file, lost: this.#lost }, 'the audit is written again');
      this.#lost = 0;
    } catch (error) {
      if (this.#lost === 0) log.error({ event: 'audit-file', file, error }, 'the audit cannot be written to its file');
      this.#lost += calls.length;
      this.#file.close();
      return;
    }
    this.#rotate();
  }

  #rotate(): void {
    try {
      this.#file.rotateWhenFull();
      this.#isStuck = false;
    } catch (error) {
      const { file } = this.#rules;
      if (!this.#isStuck)
        this.#options.log.error(
          { event: 'audit-file', file, error },
          'the file of the audit is full and cannot be put aside: it grows on',
        );
      this.#isStuck = true;
    }
  }
}
