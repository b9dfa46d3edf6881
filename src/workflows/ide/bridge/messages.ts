import { Frame } from '../../../wire/frame.ts';
import { JsonTextError } from '../../../wire/json-error.ts';

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
/** The longest name of a channel that clients of the hub may subscribe to. */
const MAX_NAME = 256;
/** The gateway's own channels: a backend must not look like a process or a build. */
const OWN_CHANNEL = /^(?:process|build):/;
/** Channel of a session that may be the gateway's own, whose ids are random UUIDs. */
const CHAT_CHANNEL = /^chat:([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})$/;

/** Reads a message of the backend. Returns a sentence that says what is wrong with a malformed one. */
export function readMessage(text: string): IncomingMessage | string {
  const message = objectIn(text);
  if (typeof message === 'string') return message;
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

/** Returns the id of the chat session to whose channel a message goes, if it may be one of the gateway's own. */
export function chatOf({ channel }: IncomingMessage): string | undefined {
  return CHAT_CHANNEL.exec(channel ?? '')?.[1];
}

/** Returns the channel on which those who watch live output get a message. `isOwnChat`: it would be that of a chat of the gateway. */
export function liveChannel({ type, channel = '' }: IncomingMessage, isOwnChat: boolean): string {
  return channel === '' || isOwnChat || OWN_CHANNEL.test(channel) ? `ide:${type}` : channel;
}

/** Refuses what is nested so deeply that it could not be written again. */
function objectIn(text: string): Readonly<Record<string, unknown>> | string {
  try {
    Frame.ofPeer(Buffer.from(text));
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
    return 'it is not a JSON object';
  } catch (error) {
    if (error instanceof JsonTextError || error instanceof SyntaxError)
      return `it is not usable JSON: ${error.message}`;
    throw error;
  }
}

function isName(value: unknown, most: number): value is string {
  return typeof value === 'string' && value.length <= most;
}

function wrongName(member: string): string {
  return `"${member}" must be a string of at most ${MAX_NAME} characters`;
}
