import path from 'node:path';
import { CallLog, type CallLogRules } from '../audit/call-log.ts';
import { EventQueue } from '../audit/event-queue.ts';
import type { AuditConfig, Config } from '../config/schema.ts';
import type { CallAudit } from '../core/providers/call-audit.ts';
import { openDatabase } from '../store/database/database.ts';
import { openEventStore } from '../store/events/open-event-store.ts';
import type { Log } from '../telemetry/log.ts';
import type { Masker } from '../telemetry/masker.ts';

export interface GatewayAuditOptions {
  readonly config: Config;
  /** `$VIADUCT_HOME`. */
  readonly home: string;
  readonly log: Log;
  readonly masker: Masker;
}

/** The audit of a gateway: a line a call in a file, and the same in the database. */
export class GatewayAudit {
  readonly #home: string;
  readonly #log: Log;
  readonly #calls: CallLog;
  #database: string | undefined;
  #events: EventQueue;
  /** Queues of databases that the config named before. */
  #leaving: Promise<unknown> = Promise.resolve();

  constructor({ config, home, log, masker }: GatewayAuditOptions) {
    this.#home = home;
    this.#log = log;
    this.#database = config.database;
    this.#events = this.#newQueue(config);
    this.#calls = new CallLog({
      rules: this.#rulesOf(config.audit),
      masker,
      log,
      onWritten: (calls) => this.#events.add(calls),
    });
  }

  get calls(): CallAudit {
    return this.#calls;
  }

  /** Goes over to other rules, for what ends from now on. */
  configure(config: Config): void {
    this.#calls.configure(this.#rulesOf(config.audit));
    this.#events.keepDays = config.audit.keepDays;
    if (config.database === this.#database) return;
    this.#database = config.database;
    this.#leaving = Promise.all([this.#leaving, this.#events.close()]);
    this.#events = this.#newQueue(config);
  }

  /** The gateway is about to stop. What has ended so far is in the file when this returns, and on its way to the database. */
  hurry(): void {
    this.#calls.flush();
    this.#events.hurry();
  }

  /** Writes everything to the file, and to the database if that can be used, before it resolves. */
  async close(): Promise<void> {
    this.#calls.close();
    await Promise.all([this.#leaving, this.#events.close()]);
  }

  #newQueue({ database: url, audit: { keepDays } }: Config): EventQueue {
    const database = openDatabase({ home: this.#home, url, isLax: true });
    const store = openEventStore({ database, home: this.#home });
    return new EventQueue({ store, close: () => database.close(), keepDays, log: this.#log });
  }

  #rulesOf({ enabled, arguments: form, file, maxMegabytes, files }: AuditConfig): CallLogRules {
    return {
      enabled,
      arguments: form,
      file: file ?? path.join(this.#home, 'audit', 'audit.jsonl'),
      maxBytes: maxMegabytes * 1024 * 1024,
      files,
    };
  }
}
