import type { PacedInput } from '../../../core/timing/paced-input.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { Frame } from '../../../wire/frame.ts';
import type { FrameReceiver } from '../../../wire/lines/frame-receiver.ts';
import type { HttpEndpoint } from './endpoint.ts';
import type { HttpSession } from './session.ts';

/** A stream of a peer, as far as its receivers slow it down or speed it up. */
export type Speaker = Pick<PacedInput, 'hold' | 'release' | 'reward'>;

/** The parts that all event streams of one connection share. */
export interface EventPeer extends FrameReceiver {
  readonly maxFrameBytes: number;
  /** See `shareOf`. */
  share(): number;
  /** Sets the input that the next messages come from; `undefined` for messages that are not read in turns. */
  onSpeaking(input: Speaker | undefined): void;
}

/** The parts that all requests and streams of one connection share. */
export interface HttpPeer extends EventPeer {
  /** `of` is the id of the request on whose response stream it came. */
  onFrame(frame: Frame, of?: number): void;
  readonly endpoint: HttpEndpoint;
  readonly session: HttpSession;
  readonly log: Log;
}
