/** The most requests of gateways that are remembered; a client that answers none of them forgets the oldest ones. */
const MAX_ASKED = 10_000;

/** Requests of gateways to the client: of the one that serves now, and of those that have ended. */
export class GatewayRequests {
  readonly #open = new Set<string>();
  readonly #stale = new Set<string>();

  add(id: string): void {
    addBounded(this.#open, id);
    this.#stale.delete(id);
  }

  /** The gateway has taken its request back; it ignores an answer. */
  withdraw(id: string): void {
    this.#open.delete(id);
  }

  /** Takes an answer of the client. Returns false if the gateway that asked has ended. */
  takesAnswer(id: string): boolean {
    this.#open.delete(id);
    return !this.#stale.delete(id);
  }

  /** The gateway has ended. Returns the messages that take its requests back. */
  lose(): readonly string[] {
    const lost = [...this.#open];
    this.#open.clear();
    for (const id of lost) addBounded(this.#stale, id);
    const reason = '"reason":"the gateway ended"';
    return lost.map(
      (id) => `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},${reason}}}\n`,
    );
  }
}

function addBounded(ids: Set<string>, id: string): void {
  if (ids.size >= MAX_ASKED) for (const oldest of ids) if (ids.delete(oldest)) break;
  ids.add(id);
}
