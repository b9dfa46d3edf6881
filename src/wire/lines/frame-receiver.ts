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
   * Asked now and then about a text that grows long: what nobody waits for need not be kept. `head` is its beginning. A
   * promise tells that the text is wanted, and that reading should go on when it resolves; that is for whoever reads the
   * stream, not for the framer.
   */
  isWanted?(head: Buffer): boolean | Promise<void>;
}
