/** Outcomes of a check. `fail`: something does not work. `warn`: it works, but needs attention. `skipped`: it does not apply. */
export type Mark = 'ok' | 'warn' | 'fail' | 'skipped';

/** The result of one check of the machine, the config or an upstream. */
export interface Check {
  /** The subject of the check, such as `node` or `upstream github`. */
  readonly name: string;
  readonly mark: Mark;
  /** The result in one line. */
  readonly text: string;
  /** The command or edit that mends it. */
  readonly fix?: string;
  /** Further details, such as the last output of an upstream; one line each. */
  readonly lines?: readonly string[];
}
