/** `fail`: something does not work. `warn`: it works, but should be looked at. `skipped`: it does not apply here. */
export type Mark = 'ok' | 'warn' | 'fail' | 'skipped';

/** What one look at the machine, the config or an upstream brought. */
export interface Check {
  /** What was looked at, such as `node` or `upstream github`. */
  readonly name: string;
  readonly mark: Mark;
  /** What was found, on one line. */
  readonly text: string;
  /** The command or edit that mends it. */
  readonly fix?: string;
  /** More to know, such as an upstream's last words; one line each. */
  readonly lines?: readonly string[];
}
