import { type ErrorCode, GatewayError } from '../../core/errors.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { ConnectionState } from '../connection/machine.ts';

/**
 * The longest time that a call waits for an upstream that will be tried again, in milliseconds. If it would take
 * longer, the client is told to try again later.
 */
export const PATIENCE_MS = 5_000;

export interface CallRefusalsHost {
  readonly entry: Pick<UpstreamEntry, 'key' | 'restart'>;
  /** Says what brings the connection back. */
  readonly againHint: string;
  state(): ConnectionState;
}

/** Makes the errors that say why an upstream cannot take a call. They all mean that the call has had no effect. */
export class CallRefusals {
  readonly #host: CallRefusalsHost;

  constructor(host: CallRefusalsHost) {
    this.#host = host;
  }

  /** Returns why a call cannot even wait now; `undefined` if it can. */
  now(): GatewayError | undefined {
    const state = this.#host.state();
    switch (state.name) {
      case 'idle':
      case 'ready':
      case 'waiting':
      case 'starting':
        return undefined;
      case 'backoff':
        return this.#beforeRetry(state.reason, state.retryAt - Date.now());
      case 'crash-loop': {
        const text = `${state.reason}; it ended too often and stays off. ${this.#host.againHint}`;
        return this.#error('UPSTREAM_CRASH_LOOP', text);
      }
      case 'needs-auth':
        return this.#error('UPSTREAM_NEEDS_AUTH', state.reason);
      case 'stopped':
        if (this.#host.entry.restart === 'on-demand' && !state.byHand) return undefined;
        return this.#notConnected(`not connected: ${state.reason}. ${this.#host.againHint}`);
      default:
        return this.#notConnected(`not connected: ${state.reason}. ${this.#host.againHint}`);
    }
  }

  /**
   * Returns why calls that wait for a connection wait no longer; `undefined` if they go on waiting. A start on demand that
   * failed is not tried again for those who waited for it: they hear what went wrong.
   */
  ofHeld(): GatewayError | undefined {
    const state = this.#host.state();
    return state.name === 'stopped' ? this.#notConnected(`not connected: ${state.reason}`) : this.now();
  }

  /** Returns the error of a call for which the connection was not there in time. */
  stillStarting(): GatewayError {
    return this.#notConnected('it is still starting; try again in a moment', PATIENCE_MS);
  }

  /** Returns the error of a call that is one too many. */
  overloaded(text: string, retryAfterMs: number): GatewayError {
    return this.#error('OVERLOADED', text, retryAfterMs);
  }

  #beforeRetry(reason: string, leftMs: number): GatewayError | undefined {
    return leftMs <= PATIENCE_MS ? undefined : this.#notConnected(`${reason}; restarting`, leftMs);
  }

  #notConnected(text: string, retryAfterMs?: number): GatewayError {
    return this.#error('UPSTREAM_NOT_CONNECTED', text, retryAfterMs);
  }

  #error(code: ErrorCode, text: string, retryAfterMs?: number): GatewayError {
    const { key } = this.#host.entry;
    const detail = { upstream: key, effect: 'none', ...(retryAfterMs !== undefined && { retryAfterMs }) } as const;
    return new GatewayError(code, `${key}: ${text}`, detail);
  }
}
