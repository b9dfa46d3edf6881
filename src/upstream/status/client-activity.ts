import type { UpstreamCalls } from '../calls/upstream-calls.ts';
import type { ResourceWatch } from '../events/subscriptions/resource-watch.ts';

/** The open calls and subscriptions of an upstream's clients. */
export class ClientActivity {
  readonly #calls: Pick<UpstreamCalls, 'hasOpen' | 'isAwaitingClient'>;
  readonly #resources: Pick<ResourceWatch, 'subscriptions'>;

  constructor(
    calls: Pick<UpstreamCalls, 'hasOpen' | 'isAwaitingClient'>,
    resources: Pick<ResourceWatch, 'subscriptions'>,
  ) {
    this.#calls = calls;
    this.#resources = resources;
  }

  /** Tells whether calls of its clients are open. */
  get hasOpenCalls(): boolean {
    return this.#calls.hasOpen;
  }

  /** Tells whether a call waits for its client, which may never answer. */
  get isAwaitingClient(): boolean {
    return this.#calls.isAwaitingClient;
  }

  /** Tells whether a client would miss the upstream: calls are open, or resources are subscribed to. */
  get isBusy(): boolean {
    return this.hasOpenCalls || this.subscribers().length > 0;
  }

  /** Lists the clients that have subscribed to any resource. */
  subscribers(): readonly string[] {
    return this.#resources.subscriptions.sessions();
  }
}
