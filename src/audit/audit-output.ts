import type { Log } from '../telemetry/log.ts';
import { RotatingFile, type RotationRules } from './rotating-file.ts';

/** Writes lines to the audit's file. It logs what fails, once until that works again. */
export class AuditOutput {
  readonly #log: Log;
  #rules: RotationRules;
  #file: RotatingFile;
  /** The number of lines that could not be written since the last that could. */
  #lost = 0;
  #isStuck = false;

  constructor(rules: RotationRules, log: Log) {
    this.#rules = rules;
    this.#log = log;
    this.#file = new RotatingFile(rules);
  }

  /** Applies new rules from now on. */
  configure(rules: RotationRules): void {
    this.#file.close();
    this.#rules = rules;
    this.#file = new RotatingFile(rules);
  }

  /** Appends whole lines, `count` in number, at once. Returns whether they are in the file. Never throws. */
  append(lines: string, count: number): boolean {
    const { file } = this.#rules;
    try {
      this.#file.append(lines);
    } catch (error) {
      if (this.#lost === 0)
        this.#log.error({ event: 'audit-file', file, error }, 'the audit cannot be written to its file');
      this.#lost += count;
      this.#file.close();
      return false;
    }
    if (this.#lost > 0) this.#log.warn({ event: 'audit-file', file, lost: this.#lost }, 'the audit is written again');
    this.#lost = 0;
    this.#rotate();
    return true;
  }

  close(): void {
    this.#file.close();
  }

  #rotate(): void {
    const { file, files } = this.#rules;
    try {
      if (this.#file.rotateWhenFull() === 'oldest-lost')
        this.#log.warn({ event: 'audit-file', file, files }, 'the audit has too many files: the oldest was deleted');
      this.#isStuck = false;
    } catch (error) {
      if (!this.#isStuck)
        this.#log.error(
          { event: 'audit-file', file, error },
          'the file of the audit is full and cannot be put aside: it grows on',
        );
      this.#isStuck = true;
    }
  }
}
