import type { Frame } from '../frame.ts';

/** A line, or a text over several lines, that could not become a frame. */
export interface LostLine {
  readonly reason: 'not-json' | 'too-large' | 'unwanted';
  /** The fault of a text that is not JSON, and its place, if known. */
  readonly problem?: string | undefined;
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly bytes: number;
  /** The stream ended before the line did. */
  readonly isCutOff: boolean;
}

export interface FrameReceiver {
  onFrame(frame: Frame): void;
  onLostLine(line: LostLine): void;
  /**
   * Called now and then about a text that grows long. Returns false if it need not be kept because it is not awaited.
   * A promise means that it is wanted, and that the reader of the stream, not the framer, should pause until it
   * resolves. `head` is the beginning of the text.
   */
  isWanted?(head: Buffer): boolean | Promise<void>;
}
