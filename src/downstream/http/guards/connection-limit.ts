import type { Socket } from 'node:net';

/** Keeps one address from taking all connections. */
export class ConnectionLimit {
  readonly #most: () => number;
  readonly #onRefused: () => void;
  readonly #open = new Map<string, number>();

  /** `most` is asked for at each connection: the config may change. */
  constructor(most: () => number, onRefused: () => void) {
    this.#most = most;
    this.#onRefused = onRefused;
  }

  /** Listens to the server's `connection`. */
  onConnection(socket: Socket): void {
    const { remoteAddress = '' } = socket;
    const open = this.#open.get(remoteAddress) ?? 0;
    if (open >= this.#most()) {
      this.#onRefused();
      socket.destroy();
      return;
    }
    this.#open.set(remoteAddress, open + 1);
    socket.once('close', () => this.#onClosed(remoteAddress));
  }

  #onClosed(address: string): void {
    const left = (this.#open.get(address) ?? 1) - 1;
    if (left > 0) this.#open.set(address, left);
    else this.#open.delete(address);
  }
}
