import type { Readable, Writable } from 'node:stream';
import { PacedInput } from '../../../core/timing/paced-input.ts';
import type { Bytes } from '../../../wire/bytes.ts';
import { NewlineFramer } from '../../../wire/lines/newline-framer.ts';
import { FrameWriter } from '../../../wire/output/frame-writer.ts';
import { Incoming } from '../incoming.ts';
import type { FrameLimit, TransportEvents } from '../transport.ts';
import { Silence } from './silence.ts';

/**
 * The silence after which a text over several lines counts as a broken line, in milliseconds, so that no caller waits for
 * the rest.
 */
const SPREAD_TEXT_MS = 2_000;

export interface LineStreamOptions {
  readonly input: Readable;
  /** May be the same stream as `input`. */
  readonly output: Writable;
  readonly limits: FrameLimit;
  /** The peer says no more, and all that it said was reported. */
  readonly onEnd: () => void;
}

/** Frames both ways, one a line: what all transports share that carry plain bytes. */
export class LineStream {
  readonly #writer: FrameWriter;
  readonly #incoming: Incoming;

  constructor({ input, output, limits, onEnd }: LineStreamOptions, events: TransportEvents) {
    this.#writer = new FrameWriter(output);
    const incoming = new Incoming(events);
    const framer = new NewlineFramer(incoming, () => limits.maxFrameBytes, { takesSpreadTexts: true });
    const silence = new Silence(SPREAD_TEXT_MS, () => (paced.isWaiting ? 'goes on' : framer.giveUpSpreadText()));
    const consumer = {
      consume: (chunk: Buffer, deadline: number) => {
        const end = framer.push(chunk, deadline);
        silence.watch(framer.isInSpreadText);
        return end;
      },
      onEnd: () => {
        silence.watch(false);
        framer.end();
        onEnd();
      },
    };
    const paced = new PacedInput(input, consumer, { share: () => incoming.share() });
    incoming.onSpeaking(paced);
    this.#incoming = incoming;
  }

  /** Bytes that the peer has not taken yet. */
  get queuedBytes(): number {
    return this.#writer.queuedBytes;
  }

  send(frame: Bytes): void {
    this.#writer.write(frame);
  }

  reward(): void {
    this.#incoming.reward();
  }

  /** Stops reporting what arrives; frames that were sent are still written. */
  stop(): void {
    this.#incoming.stop();
    this.#writer.flush();
  }
}
