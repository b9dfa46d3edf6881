/** Hears what a wire carries. */
export interface WireListener {
  /** @param text one message, a JSON text */
  readonly onText: (text: string) => void;
  /**
   * A message was too large and is left out.
   * @param beginning its first bytes
   */
  readonly onTooLarge: (beginning: string) => void;
  /** Called once; nothing follows. @param reason a clause without a full stop, such as "the browser has ended" */
  readonly onEnd: (reason: string) => void;
}

/** Carries messages of the Chrome DevTools Protocol to a browser and back. */
export interface CdpWire {
  /** Begins to read. Called once. */
  open(listener: WireListener): void;
  /** Sends one message, a JSON text. Does nothing once the wire has ended. */
  send(text: string): void;
  /** Ends the connection. Harmless when called twice. */
  close(): void;
}

/** The largest message that is kept, in bytes: otherwise a page could fill the gateway's memory. */
export const MAX_MESSAGE_BYTES = 64 * 1_048_576;
