/** The number of clients remembered. The one that showed an app longest ago is forgotten first. */
const MAX_CLIENTS = 1_000;

/**
 * The upstreams whose apps a client shows: a client reads an app's resource before it shows it. A client of which nothing is
 * known may show apps that it has read in an earlier session.
 */
export class OpenApps {
  readonly #byClient = new Map<string, Set<string>>();

  /** A client reads an app of this upstream. */
  onRead(clientId: string, upstream: string): void {
    const upstreams = this.#byClient.get(clientId) ?? new Set();
    this.#byClient.delete(clientId);
    this.#byClient.set(clientId, upstreams.add(upstream));
    if (this.#byClient.size > MAX_CLIENTS) this.#byClient.delete(this.#byClient.keys().next().value!);
  }

  /** Returns true if the call may come from an app of this upstream. */
  mayBeOf(clientId: string, upstream: string): boolean {
    return this.#byClient.get(clientId)?.has(upstream) ?? true;
  }
}
