export type Headers = Readonly<Record<string, string>>;

/** The headers that every POST carries. */
export const POST_HEADERS: Headers = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

/** One request to a server, without the headers that all of them carry. */
export interface HttpMessage {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Headers;
  readonly body?: Buffer;
  /** True if it may be sent twice: a broken idle connection does not mean that the server got nothing. */
  readonly isRepeatable?: boolean;
}
