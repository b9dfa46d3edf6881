import { GatewayError } from '../../core/errors.ts';
import {
  EMPTY_LISTING,
  type EntryKind,
  type Listing,
  NOTHING_TO_CANCEL,
  type Provider,
  type ProviderCall,
  type RunningCall,
} from '../../core/providers/provider.ts';
import type { SyncReport, UpstreamControl, UpstreamStatus } from '../../core/providers/provider-status.ts';

export interface BrokenUpstreamOptions {
  readonly key: string;
  readonly prefix: string;
  /** The problem with its entry, the place, and what to do. */
  readonly reason: string;
}

/** An upstream whose entry in the config has a fault: it is shown as failed, offers nothing, and says why to those who ask. */
export class BrokenUpstream implements Provider, UpstreamControl {
  readonly kind = 'upstream';
  readonly id: string;
  readonly prefix: string;
  readonly validation = 'off';
  readonly #reason: string;
  readonly #since = new Date().toISOString();

  constructor({ key, prefix, reason }: BrokenUpstreamOptions) {
    this.id = key;
    this.prefix = prefix;
    this.#reason = reason;
  }

  start(): void {
    // There is nothing that could be started.
  }

  async stop(): Promise<void> {
    // Nothing runs.
  }

  async disconnect(): Promise<void> {
    // Nothing runs.
  }

  onPinsChanged(): void {
    // It offers no tools.
  }

  async onCredentialsChanged(): Promise<void> {
    // It connects to nothing.
  }

  listing(): Listing {
    return EMPTY_LISTING;
  }

  isKnown(): boolean {
    return true;
  }

  /** Calls of its tools are taken, so that their answer says what is wrong. Without a prefix no name is surely one of its tools. */
  acceptsUnlisted(kind: EntryKind): boolean {
    return (kind === 'tool' || kind === 'prompt') && this.prefix !== '';
  }

  call({ caller }: ProviderCall): RunningCall {
    caller.onFailure(this.#failure());
    return NOTHING_TO_CANCEL;
  }

  /** @throws GatewayError that says what is wrong with the entry */
  async sync(): Promise<SyncReport> {
    throw this.#failure();
  }

  status(): UpstreamStatus {
    return {
      key: this.id,
      prefix: this.prefix,
      state: 'failed',
      since: this.#since,
      reason: this.#reason,
      lastError: this.#reason,
      starts: 0,
      counts: { tools: 0, prompts: 0, resources: 0, templates: 0 },
      listErrors: [],
      schemaFaults: [],
      skipped: [],
      pins: { changed: 0, new: 0, withheld: 0 },
      suspicious: [],
      calls: { open: 0, waiting: 0 },
      faults: {},
      misfits: {},
      stderr: [],
      startStderr: [],
    };
  }

  #failure(): GatewayError {
    const text = `${this.id}: its entry in the config cannot be used: ${this.#reason}`;
    return new GatewayError('UPSTREAM_NOT_CONNECTED', text, { upstream: this.id, effect: 'none' });
  }
}
