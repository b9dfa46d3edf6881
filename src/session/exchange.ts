import type { Bytes } from '../wire/bytes.ts';

/** Takes the messages that belong to one request of a client. */
export interface Exchange {
  /** True if only responses fit into it: other messages are dropped, and the client cannot be asked here. */
  readonly takesOnlyAnswers?: boolean;
  /** The answer: nothing follows it. `status` is that of HTTP, where the specification asks for another than 200. */
  reply(bytes: Bytes, status?: number): void;
  /** A request to the client that belongs to the client's own request. */
  send(bytes: Bytes): void;
  /** A notification that belongs to it; left out when the client is far behind with reading. */
  sendIfRoom(bytes: Bytes): void;
  /**
   * Resolves when the client has room for another large answer; `undefined` if it has room now. Absent if answers
   * do not wait.
   */
  whenRoom?(): Promise<void> | undefined;
  /** Ends it without a response: the client has cancelled. */
  abandon(): void;
}
