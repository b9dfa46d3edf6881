import type { Effect, ErrorCode } from '../../core/errors.ts';
import type { UpstreamEntry } from '../../core/settings/upstream-entry.ts';
import type { Containers } from '../../process/containers/containers.ts';
import type { LoginPath } from '../../process/login-path.ts';
import type { Reaper } from '../../process/reaper.ts';
import type { Log } from '../../telemetry/log.ts';
import type { ByteString, Bytes } from '../../wire/bytes.ts';
import type { Frame } from '../../wire/frame.ts';
import type { FrameReceiver } from '../../wire/lines/frame-receiver.ts';

/**
 * The reason for an end that is no fault: the session has expired and a new one can begin, or the peer requires
 * authorization.
 */
export type ClosedBecause = 'expired' | 'unauthorized';

/**
 * The events of a transport. After `onClosed` it reports nothing more. The exception is a transport whose `finish` says
 * that open requests may still be answered: it reports those responses, and `onClosed` again if it is gone before all
 * have arrived.
 */
export interface TransportEvents extends FrameReceiver {
  /** A message. `of` is the id of the request on whose response stream it came, where the transport has such streams. */
  onFrame(frame: Frame, of?: number): void;
  onStderr(line: string): void;
  /** Returns true if a request waits for a response of this peer. */
  isAwaited(): boolean;
  /** Notices of the peer may have been missed: what they are about should be looked at. */
  onMissed?(): void;
  /** One request will not be answered, though the peer may be well. */
  onRequestFailed(id: number, failure: RequestFailure): void;
  /** Returns the JSON of a tool, as the peer wrote it, by its own name for it. */
  toolText(ownName: string): ByteString | undefined;
  /**
   * The peer is gone or deaf; `reason` completes the sentence "<upstream>: …". One whose session has expired is well, and
   * may be opened again at once.
   */
  onClosed(reason: string, why?: ClosedBecause): void;
}

/** The reason why a request gets no response. */
export interface RequestFailure {
  readonly code: ErrorCode;
  /** Completes the sentence "<upstream>: …". */
  readonly reason: string;
  /** The request's effect, as far as it is known. */
  readonly effect: Effect;
  /** The status of the HTTP response that was no JSON-RPC response. */
  readonly status?: number;
  readonly retryAfterMs?: number;
  /** True if it was refused unread because the session is gone: the next connection may accept it. */
  readonly isUnheard?: boolean;
}

/** Bytes and framing to one peer. */
export interface Transport {
  readonly pid: number | undefined;
  /** True if the peer was reached. A peer that ends before any response may have ended because of the request. */
  readonly wasReached?: boolean;
  /** Bytes that the peer has not taken yet. */
  readonly queuedBytes: number;
  send(frame: Bytes): void;
  /**
   * Takes nothing new from now on, but lets the peer answer what is open. Tells whether it may: a peer that is gone
   * answers nothing.
   */
  finish?(): boolean;
  /** Called when a user has logged in: a request that was refused before may succeed now. */
  onCredentialsChanged?(): void;
  /**
   * A request is over, whether it was answered on its own response or given up: what is open for it alone may be closed.
   * Harmless for requests that are not known.
   */
  onSettled?(id: number): void;
  /** The last frame was wanted: a peer that sends unrequested frames is read more slowly. */
  reward?(): void;
  /** Ends the peer and everything it started; resolves when it is gone. Calling it twice is harmless. */
  close(): Promise<void>;
}

/** A request that the peer refused because of who we are. */
export interface AuthRefusal {
  readonly status: number;
  /** The value of its `WWW-Authenticate` header. */
  readonly challenge: string | undefined;
  /** The `authorization` that it was sent with. */
  readonly authorization: string | undefined;
  /** True if it was sent again after an earlier refusal. */
  readonly isRepeated: boolean;
}

/** The way in which we identify ourselves to one upstream. */
export interface Authorization {
  /**
   * Prepares the authorization before a connection is opened.
   * @throws NeedsAuthError if only the user can help; any other error may pass by itself.
   */
  prepare(): Promise<void>;
  /** Returns the authorization header for a request, from memory. */
  headers(): { readonly authorization?: string };
  /**
   * Handles a refusal (401, 403), after which nothing was done. Returns `'retry'` if the request should be sent again
   * with new headers, or the reason why not; `undefined` if the refusal has nothing to do with authorization.
   */
  onRefused(refusal: AuthRefusal): Promise<'retry' | RequestFailure | undefined>;
  /**
   * Called when a user has logged in or out, perhaps to this upstream. Resolves with true if there is now a token that
   * was not refused yet.
   */
  reload(): Promise<boolean>;
}

/** The limits that may change while a connection is open. */
export interface FrameLimit {
  /** The largest message, as the config has it now. */
  readonly maxFrameBytes: number;
}

/** The surroundings that transports share. */
export interface TransportContext extends FrameLimit {
  readonly log: Log;
  /** The gateway's own environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly loginPath: LoginPath;
  readonly reaper: Reaper;
  readonly containers: Containers;
  /** Absent if the entry says itself what is sent. */
  readonly authorization?: Authorization | undefined;
}

/** The peer wants authorization that only its user can give. The message names the command. */
export class NeedsAuthError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NeedsAuthError';
  }
}

export interface TransportDefinition<Entry extends UpstreamEntry = UpstreamEntry> {
  /**
   * Opens a connection.
   * @throws ImpossibleError when the entry must be changed first; any other error may pass by itself.
   */
  open(entry: Entry, events: TransportEvents, context: TransportContext): Promise<Transport>;
}

/** Declares a transport; a line in `index.ts` makes it available. */
export function defineTransport<Entry extends UpstreamEntry>(
  definition: TransportDefinition<Entry>,
): TransportDefinition<Entry> {
  return definition;
}

const IDLE_SHARE = 0.05;
const AWAITED_SHARE = 0.3;

/** Returns the share of time that reading a peer's unrequested messages may take: more while a response may follow them. */
export function shareOf(events: Pick<TransportEvents, 'isAwaited'>): number {
  return events.isAwaited() ? AWAITED_SHARE : IDLE_SHARE;
}
