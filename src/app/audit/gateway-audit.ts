import path from 'node:path';
import { CallLog, type CallLogRules } from '../../audit/call-log.ts';
import type { AuditConfig } from '../../config/schema.ts';
import type { CallAudit } from '../../core/call-audit.ts';
import type { Log, Masker } from '../../telemetry/log.ts';

export interface GatewayAuditOptions {
  readonly config: AuditConfig;
  /** `$VIADUCT_HOME`. */
  readonly home: string;
  readonly log: Log;
  readonly masker: Masker;
}

/** The audit of a gateway: a line a call in a file, and the same in the database. */
export class GatewayAudit {
  readonly #options: GatewayAuditOptions;
  readonly #calls: CallLog;

  constructor(options: GatewayAuditOptions) {
    this.#options = options;
    const { config, masker, log } = options;
    this.#calls = new CallLog({ rules: this.#rulesOf(config), masker, log, onWritten: () => undefined });
  }

  get calls(): CallAudit {
    return this.#calls;
  }

  configure(config: AuditConfig): void {
    this.#calls.configure(this.#rulesOf(config));
  }

  /** What has ended so far is in the file when this returns. */
  flush(): void {
    this.#calls.flush();
  }

  async close(): Promise<void> {
    this.#calls.close();
  }

  #rulesOf(config: AuditConfig): CallLogRules {
    const { enabled, arguments: form, file, maxMegabytes, files } = config;
    return {
      enabled,
      arguments: form,
      file: file ?? path.join(this.#options.home, 'audit', 'audit.jsonl'),
      maxBytes: maxMegabytes * 1024 * 1024,
      files,
    };
  }
}
