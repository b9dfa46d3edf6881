import type { IncomingMessage, OutgoingMessage } from './messages.ts';

/** The connection to an IDE backend. */
export interface Bridge {
  /** True while it is connected. */
  readonly isOnline: boolean;
  /**
   * Sends a message and waits up to `answerMs` for the first message that `matches`.
   * @returns `undefined` if none came, or the connection was lost meanwhile
   * @throws GatewayError `IDE_OFFLINE` when it is not connected, `OVERLOADED` when too many asks wait; the reason of `signal`
   */
  ask(
    message: OutgoingMessage,
    matches: (message: IncomingMessage) => boolean,
    signal: AbortSignal,
  ): Promise<IncomingMessage | undefined>;
  /** Begins to connect. */
  start(): void;
  /** Ends the connection at once. */
  stop(): Promise<void>;
}
