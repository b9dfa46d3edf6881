import type { LiveMessage } from '../../core/providers/live-feed.ts';

/** The messages that a client may send. */
export type ClientMessage =
  | { readonly type: 'subscribe' | 'unsubscribe'; readonly channel: string }
  | { readonly type: 'ping' | 'pong' };

type ServerMessage =
  | LiveMessage
  | { readonly type: 'pong' }
  | { readonly type: 'error'; readonly channel?: string; readonly data: string };

const MAX_CHANNEL = 256;
const SHOWN = 60;

/** Reads what a client says; a text says what is wrong with it. */
export function readClientMessage(text: string): ClientMessage | string {
  const message = parsed(text);
  if (message === undefined)
    return 'a message is one JSON object, such as {"type":"subscribe","data":"process:proc-1"}';
  const { type } = message;
  switch (type) {
    case 'ping':
    case 'pong':
      return { type };
    case 'subscribe':
    case 'unsubscribe':
      return aboutChannel(type, message);
    default:
      return `${said(type)} is no type of message here: send "subscribe", "unsubscribe" or "ping"`;
  }
}

function aboutChannel(
  type: 'subscribe' | 'unsubscribe',
  { data, channel }: Readonly<Record<string, unknown>>,
): ClientMessage | string {
  const named = typeof data === 'string' ? data : channel;
  if (typeof named !== 'string' || named === '') return `"${type}" names a channel in "data", such as "process:proc-1"`;
  if (named.length > MAX_CHANNEL) return `the name of a channel has at most ${MAX_CHANNEL} characters`;
  return { type, channel: named };
}

/** Returns a message as it is sent to clients, in one frame. */
export function encodeMessage(message: ServerMessage): Buffer {
  const { type, channel, processId, data } = { channel: undefined, processId: undefined, data: undefined, ...message };
  return Buffer.from(JSON.stringify({ type, channel, processId, data, timestamp: new Date().toISOString() }));
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function said(type: unknown): string {
  if (type === undefined) return 'a message without "type"';
  const text = JSON.stringify(type);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
