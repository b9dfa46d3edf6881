import type { IncomingMessage, ServerResponse } from 'node:http';
import { Frame } from '../../wire/frame.ts';
import { JsonTextError } from '../../wire/json-error.ts';
import { type Message, readBatch, readMessage } from '../../wire/message.ts';
import type { ErrorBody } from '../../wire/reply.ts';
import type { HttpSession } from './http-session.ts';
import { PostExchange } from './post-exchange.ts';
import { MISSING_SESSION, reject, UNKNOWN_SESSION } from './reject.ts';

export interface PostContext {
  readonly maxBodyBytes: number;
  find(id: string): HttpSession | undefined;
  /** A new session, or `undefined` when there are too many. */
  create(): { readonly id: string; readonly session: HttpSession } | undefined;
  /** Answers that are under way. */
  readonly exchanges: Set<PostExchange>;
}

/** Why a POST cannot be served. */
interface Rejection {
  readonly status: number;
  readonly error: ErrorBody;
}

/** One POST: checks the headers, reads the body, hands its messages to the session. */
export function handlePost(request: IncomingMessage, response: ServerResponse, context: PostContext): void {
  const rejection = checkHeaders(request, context);
  if (rejection !== undefined) {
    reject(request, response, rejection.status, rejection.error);
    return;
  }
  readBody(request, context.maxBodyBytes, (body) => {
    if (body === undefined) {
      reject(request, response, 413, {
        code: -32600,
        message: `Content Too Large: a message may have ${context.maxBodyBytes} bytes`,
      });
      return;
    }
    const failure = serve(request, response, body, context);
    if (failure !== undefined) reject(request, response, failure.status, failure.error);
  });
}

function checkHeaders(request: IncomingMessage, { maxBodyBytes }: PostContext): Rejection | undefined {
  const { accept = '', 'content-type': contentType = '' } = request.headers;
  // Anything else could come from a form on any web page.
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    return {
      status: 415,
      error: { code: -32600, message: 'Unsupported Media Type: Content-Type must be application/json' },
    };
  }
  const acceptsAll = accept.includes('*/*');
  if (!acceptsAll && !(accept.includes('application/json') && accept.includes('text/event-stream'))) {
    return {
      status: 406,
      error: { code: -32600, message: 'Not Acceptable: Accept must list application/json and text/event-stream' },
    };
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
    return {
      status: 413,
      error: { code: -32600, message: `Content Too Large: a message may have ${maxBodyBytes} bytes` },
    };
  }
  return undefined;
}

/** Calls back with the body, or with nothing when it is too large. A request that breaks off is never answered. */
function readBody(request: IncomingMessage, maxBytes: number, onBody: (body: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= maxBytes) chunks.push(chunk);
    else if (length - chunk.length <= maxBytes) onBody(undefined);
  });
  request.on('end', () => {
    if (length <= maxBytes) onBody(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  });
  request.on('error', () => undefined);
}

function serve(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  context: PostContext,
): Rejection | undefined {
  const messages = readMessages(body);
  if (!Array.isArray(messages)) return messages;
  const opened = sessionFor(request, messages, context);
  if ('status' in opened) return opened;
  const { session, headers } = opened;
  const isBatch = messages.length !== 1 || body[0] === 0x5b;
  if (isBatch && (messages.length === 0 || !session.session.allowsBatches)) {
    return {
      status: 400,
      error: { code: -32600, message: 'Invalid request: batches are not part of this protocol version' },
    };
  }
  const expected = messages.filter((message) => message.kind === 'request' || message.kind === 'invalid').length;
  if (expected === 0) {
    for (const message of messages) session.session.onMessage(message, NO_EXCHANGE);
    response.writeHead(202, headers).end();
    return undefined;
  }
  const exchange = new PostExchange({
    response,
    expected,
    headers: () => headers,
    openStream: () => session.openStream(),
    onSettled: (settled) => context.exchanges.delete(settled),
  });
  context.exchanges.add(exchange);
  for (const message of messages) session.session.onMessage(message, exchange);
  return undefined;
}

const NO_EXCHANGE = {
  reply: () => undefined,
  send: () => undefined,
  sendIfRoom: () => undefined,
  abandon: () => undefined,
};

function readMessages(body: Buffer): Message[] | Rejection {
  try {
    const frame = Frame.of(body);
    makeOneLine(body);
    const messages = readBatch(frame) ?? [readMessage(frame)];
    const [only] = messages;
    if (messages.length === 1 && only?.kind === 'invalid') {
      return { status: 400, error: { code: -32600, message: `Invalid request: ${only.reason}` } };
    }
    return messages;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return { status: 400, error: { code: -32700, message: `Parse error: ${error.message}` } };
  }
}

/** Line breaks in JSON are white space, but upstreams on pipes read one message a line. */
function makeOneLine(body: Buffer): void {
  for (const lineBreak of [0x0a, 0x0d]) {
    for (let at = body.indexOf(lineBreak); at !== -1; at = body.indexOf(lineBreak, at + 1)) body[at] = 0x20;
  }
}

function sessionFor(
  request: IncomingMessage,
  messages: readonly Message[],
  context: PostContext,
): { session: HttpSession; headers: Record<string, string> } | Rejection {
  if (messages.some((message) => message.kind === 'request' && message.method === 'initialize')) {
    const created = context.create();
    if (created === undefined)
      return { status: 503, error: { code: -32603, message: 'Too many sessions; try again later' } };
    return { session: created.session, headers: { 'mcp-session-id': created.id } };
  }
  const id = request.headers['mcp-session-id'];
  if (typeof id !== 'string') return { status: 400, error: MISSING_SESSION };
  const session = context.find(id);
  if (session === undefined) return { status: 404, error: UNKNOWN_SESSION };
  session.touch();
  return { session, headers: {} };
}
