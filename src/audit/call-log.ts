import type { CallAudit, EndedCall } from '../core/providers/call-audit.ts';
import type { Log } from '../telemetry/log.ts';
import type { Masker } from '../telemetry/masker.ts';
import { AuditOutput } from './audit-output.ts';
import { levelOf } from './level.ts';
import { LineMaker } from './line-maker.ts';
import type { RotationRules } from './rotating-file.ts';
import type { ArgumentsForm } from './shown-arguments.ts';

export interface CallLogRules extends RotationRules {
  readonly enabled: boolean;
  readonly arguments: ArgumentsForm;
}

export interface CallLogOptions {
  readonly rules: CallLogRules;
  readonly masker: Masker;
  readonly log: Log;
  /** Called when lines are in the file. Must return at once. */
  readonly onWritten: () => void;
}

/**
 * Writes a line a call, those of a turn of the event loop in one write. The line of a call of level `security` is in the
 * file before the answer leaves; that of another one is written after the answers of the turn.
 */
export class CallLog implements CallAudit {
  readonly #options: CallLogOptions;
  #rules: CallLogRules;
  readonly #output: AuditOutput;
  #maker: LineMaker;
  /** Ended calls without a line. */
  #ended: EndedCall[] = [];
  /** Those of them whose answers wait for their lines. */
  #held: EndedCall[] = [];
  /** The ended calls are written at the end of the turn. */
  #isScheduled = false;

  constructor(options: CallLogOptions) {
    this.#options = options;
    this.#rules = options.rules;
    this.#output = new AuditOutput(options.rules, options.log);
    this.#maker = new LineMaker(options.rules.arguments, options.masker);
  }

  get isOn(): boolean {
    return this.#rules.enabled;
  }

  onCallEnded(call: EndedCall): void {
    this.#ended.push(call);
    // What has ended by the end of the running callback is written together.
    if (levelOf(call) !== 'info') {
      if (this.#held.push(call) === 1) queueMicrotask(this.#onTurn);
      return;
    }
    // First, so that the answer leaves before its line is written.
    try {
      call.deliver();
    } finally {
      this.#writeAtTurnEnd();
    }
  }

  /** Applies new rules from now on. */
  configure(rules: CallLogRules): void {
    this.flush();
    this.#rules = rules;
    this.#output.configure(rules);
    this.#maker = new LineMaker(rules.arguments, this.#options.masker);
  }

  /** Writes what has ended so far before it returns, and delivers what waits for it. Never throws. */
  flush(): void {
    const ended = this.#ended;
    if (ended.length === 0) return;
    this.#ended = [];
    this.#write(ended);
    this.#deliverHeld();
  }

  close(): void {
    this.flush();
    this.#output.close();
  }

  readonly #onTurn = (): void => this.flush();

  #writeAtTurnEnd(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#onTurnEnd);
  }

  readonly #onTurnEnd = (): void => {
    this.#isScheduled = false;
    this.flush();
  };

  #write(calls: readonly EndedCall[]): void {
    const lines = this.#linesOf(calls);
    if (lines === '') return;
    if (this.#output.append(lines, calls.length)) this.#options.onWritten();
  }

  #linesOf(calls: readonly EndedCall[]): string {
    let lines = '';
    for (const call of calls) {
      try {
        lines += this.#maker.lineOf(call);
      } catch (error) {
        this.#logFault(error, call, 'wrote the audit');
      }
    }
    return lines;
  }

  #deliverHeld(): void {
    const held = this.#held;
    this.#held = [];
    for (const call of held) {
      try {
        call.deliver();
      } catch (error) {
        this.#logFault(error, call, 'answered a call');
      }
    }
  }

  #logFault(error: unknown, { text }: EndedCall, what: string): void {
    this.#options.log.error({ error, method: text.message.method }, `a fault of the gateway while it ${what}`);
  }
}
