/** The address of a container engine. */
export interface ContainerEngine {
  /** Absolute path of the program that was started, which is the engine or a wrapper such as `sudo`. */
  readonly file: string;
  /** Its arguments up to the subcommand. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A gateway, told from other processes that have or had its number. */
export interface Holder {
  readonly pid: number;
  /** In ticks since the machine was started, where the system says so. */
  readonly startedAt?: number | undefined;
  /** The set of processes in which the number counts (Linux: the namespace). */
  readonly space?: string | undefined;
}

/** A container to end when a process of an upstream, or its gateway, has ended. */
export type ContainerTarget =
  | { readonly kind: 'run'; readonly mark: string; readonly isRemoved: boolean }
  | {
      readonly kind: 'exec';
      readonly mark: string;
      readonly container: string;
      readonly user?: string | undefined;
    };

export interface ContainerRecord {
  readonly target: ContainerTarget;
  readonly engine: ContainerEngine;
  readonly holder: Holder;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** Keeps what runs in container engines, beyond the end of a gateway that is killed. Nothing here throws. */
export interface ContainerRecords {
  add(record: ContainerRecord): void;
  remove(mark: string): void;
  /** Returns the records of this machine, of all its gateways. */
  all(): readonly ContainerRecord[];
}
