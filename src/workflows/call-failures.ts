import { GatewayError, toGatewayError } from '../core/errors.ts';
import type { ProviderCall } from '../core/providers/provider.ts';
import type { Log } from '../telemetry/log.ts';
import type { WorkflowHealth } from './define.ts';

/** Turns the failures of a workflow's calls into errors for clients, logs some, and tells the workflow's health from them. */
export class CallFailures {
  readonly #log: Pick<Log, 'error'>;
  /** A call has failed for want of the database, and none has succeeded since. */
  #lacksDatabase = false;

  constructor(log: Pick<Log, 'error'>) {
    this.#log = log;
  }

  /** Returns how the workflow is as far as calls have told: nothing is tried for it. */
  health(): WorkflowHealth {
    return this.#lacksDatabase ? { ok: false, detail: 'The last call could not use the database' } : { ok: true };
  }

  onSuccess(): void {
    this.#lacksDatabase = false;
  }

  onFailure(error: unknown): void {
    this.#lacksDatabase ||= error instanceof GatewayError && error.code === 'STORE_UNAVAILABLE';
  }

  /** Returns the error for the client. One that is not meant for clients is logged. */
  errorOf({ text, ownName }: Pick<ProviderCall, 'text' | 'ownName'>, error: unknown): GatewayError {
    if (!(error instanceof GatewayError)) {
      const { method } = text.message;
      this.#log.error({ error, method, target: ownName }, 'something of the gateway itself failed');
    }
    return toGatewayError(error);
  }
}
