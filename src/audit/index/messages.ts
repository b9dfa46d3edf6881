/** The database and the files that a worker is for. */
export interface IndexWorkerData {
  /** `$VIADUCT_HOME`. */
  readonly home: string;
  readonly url: string | undefined;
  readonly file: string;
  readonly files: number;
  readonly keepDays: number;
}

/** `run`: index what the files have now. `end`: close everything and end. */
export type ToIndexWorker = 'run' | 'end';

/** The outcome of a run. */
export interface IndexRun {
  /** The reason why not everything is indexed. */
  readonly fault: string | undefined;
}
