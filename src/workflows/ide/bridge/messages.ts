/** A message to the IDE backend; the time is added when it is sent. */
export interface OutgoingMessage {
  readonly type: string;
  readonly channel?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Plain JSON. */
  readonly data?: unknown;
}

/** A message of the IDE backend. */
export interface IncomingMessage {
  readonly type: string;
  readonly channel: string | undefined;
  readonly sessionId: string | undefined;
  /** Plain JSON of any shape: the backend is not trusted. */
  readonly data: unknown;
}

const MAX_TYPE = 100;
/** As long as the names of channels may be that clients of the hub subscribe to. */
const MAX_NAME = 256;
/** The gateway's own channels: a backend must not look like a process. */
const OWN_CHANNEL = /^process:/;

/** Reads a message of the backend. Returns a sentence that says what is wrong with a malformed one. */
export function readMessage(text: string): IncomingMessage | string {
  const message = objectIn(text);
  if (message === undefined) return 'it is not a JSON object';
  const { type, channel, sessionId, data } = message;
  if (!isName(type, MAX_TYPE) || type === '') return `"type" must be a string of 1 to ${MAX_TYPE} characters`;
  if (channel !== undefined && !isName(channel, MAX_NAME)) return wrongName('channel');
  if (sessionId !== undefined && !isName(sessionId, MAX_NAME)) return wrongName('sessionId');
  return { type, channel, sessionId, data };
}

/** Returns the JSON text of a message, with the time at which it is sent. */
export function messageText({ type, channel, sessionId, data }: OutgoingMessage, now = new Date()): string {
  return JSON.stringify({ type, channel, sessionId, data, timestamp: now.toISOString() });
}

/** Returns the channel on which those who watch live output get a message. */
export function liveChannel({ type, channel }: IncomingMessage): string {
  return channel === undefined || channel === '' || OWN_CHANNEL.test(channel) ? `ide:${type}` : channel;
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function isName(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}

function wrongName(member: string): string {
  return `"${member}" must be a string of at most ${MAX_NAME} characters`;
}
