import { PacedInput } from '../../../core/timing/paced-input.ts';
import type { Frame } from '../../../wire/frame.ts';
import { EventFramer, type StreamPosition } from './event-framer.ts';
import type { EventPeer } from './peer.ts';
import type { HttpResponse } from './response.ts';

export interface EventReaderHandler {
  onFrame(frame: Frame): void;
  /** See `EventReceiver`. */
  onNamedEvent?(type: string, data: Buffer): void;
  /** Called when nothing more comes on this connection, whether the server meant to end it or not. */
  onEnd(): void;
}

/** Reads the events of one response, in turns of bounded time. */
export class EventReader {
  readonly #response: HttpResponse;
  readonly #handler: EventReaderHandler;
  #isOver = false;

  constructor(response: HttpResponse, position: StreamPosition, peer: EventPeer, handler: EventReaderHandler) {
    this.#response = response;
    this.#handler = handler;
    const framer = new EventFramer(
      {
        onFrame: (frame) => {
          if (this.#isOver) return;
          peer.onSpeaking(input);
          handler.onFrame(frame);
        },
        onLostLine: (line) => {
          if (!this.#isOver) peer.onLostLine(line);
        },
        onNamedEvent: (type, data) => {
          if (!this.#isOver) handler.onNamedEvent?.(type, data);
        },
        isWanted: (head) => {
          peer.onSpeaking(input);
          return peer.isWanted?.(head) ?? true;
        },
      },
      peer.maxFrameBytes,
      position,
    );
    const consumer = {
      consume: (chunk: Buffer, deadline: number) => (this.#isOver ? chunk.length : framer.push(chunk, deadline)),
      onEnd: () => {
        framer.end();
        this.#end();
      },
    };
    const input = new PacedInput(response, consumer, { share: () => peer.share() });
    response.on('error', () => undefined); // `close` follows
    response.on('close', () => {
      if (!response.readableEnded) this.#end();
    });
  }

  /** Stops reading. */
  stop(): void {
    this.#isOver = true;
    this.#response.destroy();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#handler.onEnd();
  }
}
