export interface CallLimits {
  /** Open calls of all clients together. */
  readonly calls: number;
  /** Open calls of one client. */
  readonly callsPerClient: number;
}

/** The reason why a call cannot begin now. */
export type Denial = 'stopping' | 'gateway-full' | 'client-full';

/** Says which calls may begin. It counts those of all clients, bounds them, and lets them run out before the gateway stops. */
export class CallQuota {
  readonly #limits: () => CallLimits;
  #open = 0;
  readonly #openOf = new Map<string, number>();
  #isStopping = false;
  #onIdle: (() => void) | undefined;

  /** `limits` are asked for at each call: the config may change. */
  constructor(limits: () => CallLimits) {
    this.#limits = limits;
  }

  /** Calls that are not answered yet, of all clients. */
  get openCalls(): number {
    return this.#open;
  }

  /**
   * Returns why this client may not begin another call; `undefined` if it may. Without a client, only the limit for all
   * clients applies.
   */
  denial(client: string | undefined): Denial | undefined {
    if (this.#isStopping) return 'stopping';
    const { calls, callsPerClient } = this.#limits();
    if (client !== undefined && (this.#openOf.get(client) ?? 0) >= callsPerClient) return 'client-full';
    return this.#open >= calls ? 'gateway-full' : undefined;
  }

  onCallBegun(client: string | undefined): void {
    this.#open++;
    if (client !== undefined) this.#openOf.set(client, (this.#openOf.get(client) ?? 0) + 1);
  }

  onCallEnded(client: string | undefined): void {
    this.#open--;
    if (client !== undefined) this.#countDown(client);
    if (this.#open === 0) this.#onIdle?.();
  }

  #countDown(client: string): void {
    const left = (this.#openOf.get(client) ?? 1) - 1;
    if (left > 0) this.#openOf.set(client, left);
    else this.#openOf.delete(client);
  }

  /** Refuses new calls from now on. Resolves when no call is open, or after `ms` milliseconds at the latest. */
  async drain(ms: number): Promise<void> {
    this.#isStopping = true;
    if (this.#open === 0) return;
    await new Promise<void>((resolve) => {
      const patience = setTimeout(resolve, ms);
      this.#onIdle = () => {
        clearTimeout(patience);
        resolve();
      };
    });
  }
}
