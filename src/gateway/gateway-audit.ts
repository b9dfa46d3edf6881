import { auditFileOf, mostAuditFiles } from '../audit/audit-file-name.ts';
import { CallLog, type CallLogRules } from '../audit/call-log.ts';
import { IndexThread } from '../audit/index/index-thread.ts';
import type { Config } from '../config/schema.ts';
import type { CallAudit } from '../core/providers/call-audit.ts';
import type { Log } from '../telemetry/log.ts';
import type { Masker } from '../telemetry/masker.ts';

export interface GatewayAuditOptions {
  readonly config: Config;
  /** `$VIADUCT_HOME`. */
  readonly home: string;
  readonly log: Log;
  readonly masker: Masker;
}

/** The audit of a gateway: a line a call in a file, and a thread that brings the lines into the database. */
export class GatewayAudit {
  readonly #home: string;
  readonly #log: Log;
  readonly #calls: CallLog;
  #config: Config;
  #index: IndexThread;
  /** The end of threads for databases and files that the config named before. */
  #leaving: Promise<unknown> = Promise.resolve();

  constructor({ config, home, log, masker }: GatewayAuditOptions) {
    this.#home = home;
    this.#log = log;
    this.#config = config;
    this.#index = this.#newIndex(config);
    this.#calls = new CallLog({ rules: this.#rulesOf(config), masker, log, onWritten: () => this.#index.wake() });
  }

  get calls(): CallAudit {
    return this.#calls;
  }

  /** Goes over to other rules, for what ends from now on. */
  configure(config: Config): void {
    this.#calls.configure(this.#rulesOf(config));
    if (isSameIndex(config, this.#config)) return;
    this.#config = config;
    this.#leaving = Promise.all([this.#leaving, this.#index.close()]);
    this.#index = this.#newIndex(config);
  }

  /** The gateway is about to stop. What has ended so far is in the file when this returns. */
  hurry(): void {
    this.#calls.flush();
  }

  /** Writes everything to the file. What is not in the database by then is put there at the next start. */
  async close(): Promise<void> {
    this.#calls.close();
    await Promise.all([this.#leaving, this.#index.close()]);
  }

  #newIndex({ database: url, audit: { file, files, keepDays } }: Config): IndexThread {
    const home = this.#home;
    return new IndexThread({ home, url, file: auditFileOf(file, home), files, keepDays, log: this.#log });
  }

  #rulesOf({ audit: { enabled, arguments: form, file, maxMegabytes, files } }: Config): CallLogRules {
    return {
      enabled,
      arguments: form,
      file: auditFileOf(file, this.#home),
      maxBytes: maxMegabytes * 1024 * 1024,
      // Files that are too many are deleted when they are indexed.
      files: mostAuditFiles(files),
    };
  }
}

function isSameIndex({ database, audit }: Config, { database: otherDatabase, audit: other }: Config): boolean {
  return (
    database === otherDatabase &&
    audit.file === other.file &&
    audit.files === other.files &&
    audit.keepDays === other.keepDays
  );
}
