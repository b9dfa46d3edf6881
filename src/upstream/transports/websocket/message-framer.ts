import { Frame } from '../../../wire/frame.ts';
import { JsonTextError } from '../../../wire/json-error.ts';
import type { FrameReceiver } from '../../../wire/lines/frame-receiver.ts';
import { NewlineFramer } from '../../../wire/lines/newline-framer.ts';

const NEWLINE = Buffer.from('\n');

/** Makes frames of messages: each has one JSON text, with any white space, or several in lines. */
export class MessageFramer {
  readonly #receiver: FrameReceiver;
  readonly #lines: NewlineFramer;
  /** The message that is being read has several lines. */
  #isInLines = false;

  constructor(receiver: FrameReceiver, maxBytes: number) {
    this.#receiver = receiver;
    this.#lines = new NewlineFramer(receiver, maxBytes);
  }

  /**
   * Takes a message, or what was left of one. Once `deadline` has passed it may stop after a line; returns the offset it
   * has come to.
   */
  push(message: Buffer, deadline: number): number {
    const frame = this.#isInLines ? undefined : frameOf(message);
    if (frame !== undefined) {
      this.#receiver.onFrame(frame);
      return message.length;
    }
    const end = this.#lines.push(message, deadline);
    this.#isInLines = end < message.length;
    if (!this.#isInLines) this.#lines.push(NEWLINE);
    return end;
  }
}

function frameOf(message: Buffer): Frame | undefined {
  try {
    return Frame.ofPeer(message);
  } catch (error) {
    if (error instanceof JsonTextError) return undefined;
    throw error;
  }
}
