import { setTimeout as delay } from 'node:timers/promises';
import { HeldFrames } from './held-frames.ts';

/** A server takes at once what begins a session; one that does not is not waited for. */
const MAX_HOLD_MS = 2_000;

/**
 * Lets messages out in order. Holds them back until a session has begun: some servers refuse a message that arrives before
 * the first one of the session.
 */
export class SessionGate {
  readonly #send: (body: Buffer) => void;
  #held: HeldFrames<Buffer> | undefined;

  /** `send` sends a message at once. */
  constructor(send: (body: Buffer) => void) {
    this.#send = send;
  }

  /** Bytes of the messages that are held back. */
  get bytes(): number {
    return this.#held?.bytes ?? 0;
  }

  /** Sends a message, or holds it back. */
  send(body: Buffer): void {
    if (this.#held === undefined) this.#send(body);
    else this.#held.add(body);
  }

  /** Holds back what follows, until `open`. */
  close(): void {
    this.#held = new HeldFrames();
  }

  /** Holds back what follows, until `open`. Resolves once a message is taken, but after two seconds at the latest. */
  async closeWhile(taking: Promise<void>): Promise<void> {
    this.close();
    await Promise.race([taking, delay(MAX_HOLD_MS, undefined, { ref: false })]);
  }

  /** Sends what is held back. */
  open(): void {
    const held = this.#held?.take() ?? [];
    this.#held = undefined;
    for (const body of held) this.send(body);
  }
}
