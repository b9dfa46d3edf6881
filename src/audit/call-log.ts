import type { CallAudit, EndedCall } from '../core/call-audit.ts';
import type { Log, Masker } from '../telemetry/log.ts';
import { Batch, type BatchedCall } from './batch.ts';
import { RotatingFile, type RotationRules } from './rotating-file.ts';
import type { ArgumentsForm } from './shown-arguments.ts';

/** Lines of so many milliseconds are made and written together. */
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

/** Writes a line a call. While a call runs, and when it ends, nothing is done but to keep it for a moment. */
export class CallLog implements CallAudit {
  readonly #options: CallLogOptions;
  #rules: CallLogRules;
  #file: RotatingFile;
  #ended: EndedCall[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Lines that could not be written since the last that could. */
  #lost = 0;

  constructor(options: CallLogOptions) {
    this.#options = options;
    this.#rules = options.rules;
    this.#file = new RotatingFile(options.rules);
  }

  get isOn(): boolean {
    return this.#rules.enabled;
  }

  onCallEnded(call: EndedCall): void {
    this.#ended.push(call);
    this.#timer ??= setTimeout(() => this.flush(), BATCH_MS).unref();
  }

  /** From now on by other rules. */
  configure(rules: CallLogRules): void {
    this.flush();
    this.#file.close();
    this.#rules = rules;
    this.#file = new RotatingFile(rules);
  }

  /** Writes what has ended so far before it returns. Never throws. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#ended.length === 0) return;
    const batch = this.#batchOf(this.#ended);
    this.#ended = [];
    this.#write(batch);
    this.#options.onWritten(batch.calls);
  }

  close(): void {
    this.flush();
    this.#file.close();
  }

  #batchOf(ended: readonly EndedCall[]): Batch {
    const { masker, log } = this.#options;
    const batch = new Batch(this.#rules.arguments, (text) => masker.mask(text));
    for (const call of ended) {
      try {
        batch.add(call);
      } catch (error) {
        log.error({ error, method: call.text.message.method }, 'a fault of the gateway while it wrote the audit');
      }
    }
    return batch;
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
    }
  }
}
