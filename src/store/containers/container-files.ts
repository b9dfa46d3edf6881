import { readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { ContainerRecord, ContainerRecords } from '../../core/stores/container-records.ts';
import { thisMachine } from '../this-machine.ts';
import { writeWhole } from '../write-whole.ts';

const VERSION = 1;
const NAME = /^([\da-f]{32})\.json$/;

export interface ContainerFilesOptions {
  /** `$VIADUCT_HOME`. */
  readonly home: string;
  onError(error: unknown): void;
}

/** Keeps each record in a file of its own under `$VIADUCT_HOME/run/containers`, which only this user can read. */
export class ContainerFiles implements ContainerRecords {
  readonly #options: ContainerFilesOptions;
  readonly #folder: string;

  constructor(options: ContainerFilesOptions) {
    this.#options = options;
    this.#folder = path.join(options.home, 'run', 'containers');
  }

  add(record: ContainerRecord): void {
    this.#attempt(() => {
      const machine = thisMachine(this.#options.home).id;
      writeWhole(this.#fileOf(record.target.mark), JSON.stringify({ version: VERSION, machine, record }));
    });
  }

  remove(mark: string): void {
    this.#attempt(() => rmSync(this.#fileOf(mark), { force: true }));
  }

  all(): readonly ContainerRecord[] {
    return this.#marks().flatMap((mark) => {
      const record = this.#read(mark);
      return record === undefined ? [] : [record];
    });
  }

  #marks(): readonly string[] {
    try {
      return readdirSync(this.#folder).flatMap((name) => NAME.exec(name)?.[1] ?? []);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#options.onError(error);
      return [];
    }
  }

  /** Returns `undefined` for a record of another machine that has the same home, and for what is no record. */
  #read(mark: string): ContainerRecord | undefined {
    try {
      const { version, machine, record } = JSON.parse(readFileSync(this.#fileOf(mark), 'utf8')) as StoredRecord;
      if (version !== VERSION || machine !== thisMachine(this.#options.home).id) return undefined;
      if (!isRecord(record, mark)) throw new Error(`${this.#fileOf(mark)} is damaged; remove it`);
      return record;
    } catch (error) {
      // Another gateway has removed it while we looked.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#options.onError(error);
      return undefined;
    }
  }

  #fileOf(mark: string): string {
    return path.join(this.#folder, `${mark}.json`);
  }

  #attempt(change: () => void): void {
    try {
      change();
    } catch (error) {
      this.#options.onError(error);
    }
  }
}

interface StoredRecord {
  readonly version?: unknown;
  readonly machine?: unknown;
  readonly record?: Partial<ContainerRecord>;
}

/**
 * Checks a record. This program wrote it, so only a part can be missing: the rest is checked as far as a wrong value would do
 * harm.
 */
function isRecord(record: Partial<ContainerRecord> | undefined, mark: string): record is ContainerRecord {
  const { target, engine, holder, startedAt } = record ?? {};
  return (
    target?.mark === mark &&
    (target.kind === 'run' || (target.kind === 'exec' && typeof target.container === 'string')) &&
    typeof engine?.file === 'string' &&
    Array.isArray(engine.args) &&
    typeof engine.cwd === 'string' &&
    typeof engine.env === 'object' &&
    typeof holder?.pid === 'number' &&
    typeof startedAt === 'number'
  );
}
