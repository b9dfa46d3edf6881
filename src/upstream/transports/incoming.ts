import type { PacedInput } from '../../core/paced-input.ts';
import type { Frame } from '../../wire/frame.ts';
import type { FrameReceiver, LostLine } from '../../wire/lines/frame-receiver.ts';
import { shareOf, type TransportEvents } from './transport.ts';

/** What a peer says, reported until it is stopped. */
export class Incoming implements FrameReceiver {
  readonly #events: TransportEvents;
  #speaking: PacedInput | undefined;
  #isStopped = false;

  constructor(events: TransportEvents) {
    this.#events = events;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** What comes from now on is not reported. */
  stop(): void {
    this.#isStopped = true;
  }

  /** See `shareOf`. */
  share(): number {
    return shareOf(this.#events);
  }

  /** What follows came from there; `undefined` for what is not read in turns. */
  onSpeaking(input: PacedInput | undefined): void {
    this.#speaking = input;
  }

  reward(): void {
    this.#speaking?.reward();
  }

  onFrame(frame: Frame): void {
    if (!this.#isStopped) this.#events.onFrame(frame);
  }

  onLostLine(line: LostLine): void {
    if (!this.#isStopped) this.#events.onLostLine(line);
  }

  isWanted(head: Buffer): boolean {
    return this.#events.isWanted?.(head) ?? true;
  }
}
