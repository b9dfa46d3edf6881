/** A server's word on a subscription: yes, no, nothing in time, or nothing because the connection ended first. */
export type Confirmation = 'told' | 'refused' | 'silent' | 'lost';

interface Confirming {
  readonly uri: string;
  settle(confirmation: Confirmation): void;
}

/** A stream of changes, as far as the server has acknowledged it. */
export interface Acknowledged {
  /** The resources that it was asked for. */
  readonly uris: ReadonlySet<string>;
  /** The resources that the server has confirmed; `undefined` until it has. */
  readonly told: ReadonlySet<string> | undefined;
}

/** Waits for what a server says to subscriptions. */
export class Confirmations {
  readonly #open = new Set<Confirming>();

  /** Resolves to what the server says about a resource, `silent` where it says nothing within `patienceMs`. */
  wait(uri: string, patienceMs: number): Promise<Confirmation> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => confirming.settle('silent'), patienceMs).unref();
      const confirming: Confirming = {
        uri,
        settle: (confirmation) => {
          clearTimeout(timer);
          this.#open.delete(confirming);
          resolve(confirmation);
        },
      };
      this.#open.add(confirming);
    });
  }

  /** A stream is acknowledged: settles what was asked for on it. No effect on a stream that is not acknowledged yet. */
  settleBy({ told, uris }: Acknowledged): void {
    if (told === undefined) return;
    for (const confirming of this.#open)
      if (uris.has(confirming.uri)) confirming.settle(told.has(confirming.uri) ? 'told' : 'refused');
  }

  /** Settles all, or those of some resources, in the same way. */
  settleAll(confirmation: Confirmation, uris?: ReadonlySet<string>): void {
    for (const confirming of this.#open)
      if (uris === undefined || uris.has(confirming.uri)) confirming.settle(confirmation);
  }
}
