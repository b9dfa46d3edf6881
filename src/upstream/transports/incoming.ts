import type { Frame } from '../../wire/frame.ts';
import type { FrameReceiver, LostLine } from '../../wire/lines/frame-receiver.ts';
import type { Speaker } from './http/peer.ts';
import { shareOf, type TransportEvents } from './transport.ts';

/** Reports a peer's messages until it is stopped. */
export class Incoming implements FrameReceiver {
  readonly #events: TransportEvents;
  #speaking: Speaker | undefined;
  #isStopped = false;

  constructor(events: TransportEvents) {
    this.#events = events;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Stops reporting; later messages are dropped. */
  stop(): void {
    this.#isStopped = true;
  }

  /** See `shareOf`. */
  share(): number {
    return shareOf(this.#events);
  }

  /** Sets the input that the next messages come from; `undefined` for messages that are not read in turns. */
  onSpeaking(input: Speaker | undefined): void {
    this.#speaking = input;
  }

  reward(): void {
    this.#speaking?.reward();
  }

  onFrame(frame: Frame, of?: number): void {
    if (!this.#isStopped) this.#events.onFrame(frame, of);
  }

  onLostLine(line: LostLine): void {
    if (!this.#isStopped) this.#events.onLostLine(line);
  }

  isWanted(head: Buffer): boolean {
    const isWanted = this.#events.isWanted?.(head) ?? true;
    if (typeof isWanted === 'boolean') return isWanted;
    this.#waitFor(isWanted);
    return true;
  }

  /** Reads no more of this stream until its receiver has room: what follows stays where it comes from. */
  #waitFor(room: Promise<void>): void {
    const input = this.#speaking;
    input?.hold();
    void room.finally(() => input?.release());
  }
}
