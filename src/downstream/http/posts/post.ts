import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLegacyRevision } from '../../../era/legacy/legacy.ts';
import type { ModernClient } from '../../../session/modern/modern-client.ts';
import type { Session } from '../../../session/session.ts';
import type { RefusalLog } from '../../../telemetry/refusal-log.ts';
import { Frame } from '../../../wire/frame.ts';
import { JsonTextError } from '../../../wire/json-error.ts';
import { type Message, type RequestMessage, readBatch, readMessage } from '../../../wire/message.ts';
import { folderOf } from '../guards/client-folder.ts';
import {
  DENIALS,
  DRAINING,
  MISSING_SESSION,
  NO_ANSWER_TYPE,
  NO_BATCHES,
  NOT_JSON,
  REVOKED,
  type Rejection,
  reject,
  TOO_MANY_SESSIONS,
  tooLarge,
  UNKNOWN_SESSION,
  UNKNOWN_VERSION,
} from '../guards/reject.ts';
import type { ClientRoute } from '../sessions/client-route.ts';
import type { HttpSession } from '../sessions/http-session.ts';
import type { Backlog } from '../streams/backlog.ts';
import { type AnswerTypes, answerTypes } from './accept.ts';
import type { BodyReader } from './body-reader.ts';
import { JsonExchange } from './json-exchange.ts';
import type { ModernExchange } from './modern-exchange.ts';
import { isModernBody, serveModern } from './modern-post.ts';
import { PostExchange } from './post-exchange.ts';
import { serveSessionless } from './sessionless-post.ts';

/** An answer that is not complete. */
export type OpenExchange = PostExchange | JsonExchange | ModernExchange;

export interface PostContext {
  find(id: string, route: ClientRoute): HttpSession | undefined;
  /** Returns a new session, or `undefined` when there are too many. */
  create(route: ClientRoute): { readonly id: string; readonly session: HttpSession } | undefined;
  /** Returns a session for one request of a client that has none; `undefined` if such requests are not served. */
  openBrief(route: ClientRoute): (() => Session) | undefined;
  /** Returns true if the client of this route is still allowed in. */
  isCurrent(route: ClientRoute): boolean;
  /** Returns true if no new request may begin; messages that belong to running ones still pass. */
  isDraining(): boolean;
  onBegun(exchange: OpenExchange): void;
  onSettled(exchange: OpenExchange): void;
  /** Returns the client that serves the modern requests of this route. */
  modern(route: ClientRoute): ModernClient;
  readonly bodies: BodyReader;
  readonly backlog: Backlog;
  readonly refusals: RefusalLog;
}

/** One POST: checks the headers, reads the body, hands its messages to the session. */
export function handlePost(
  request: IncomingMessage,
  response: ServerResponse,
  context: PostContext,
  route: ClientRoute,
): void {
  const { bodies, refusals } = context;
  const types = answerTypes(request);
  const rejection = checkHeaders(request, types, bodies.maxBytes);
  if (rejection !== undefined) {
    reject(request, response, rejection, refusals);
    return;
  }
  if (request.headers.expect !== undefined) response.writeContinue();
  bodies.read(request, (body) => {
    const failure = Buffer.isBuffer(body) ? serve({ request, response, types, route }, body, context) : body;
    if (failure !== undefined) reject(request, response, failure, refusals);
  });
}

function checkHeaders(request: IncomingMessage, types: AnswerTypes, maxBodyBytes: number): Rejection | undefined {
  const { 'content-type': contentType = '' } = request.headers;
  // Anything else could come from a form on any web page.
  if (!/^application\/json\s*(;|$)/i.test(contentType)) return NOT_JSON;
  if (!types.json && !types.events) return NO_ANSWER_TYPE;
  return Number(request.headers['content-length'] ?? 0) > maxBodyBytes ? tooLarge(maxBodyBytes) : undefined;
}

interface Post {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly types: AnswerTypes;
  readonly route: ClientRoute;
}

function serve(post: Post, body: Buffer, context: PostContext): Rejection | undefined {
  const { request, response, types, route } = post;
  // A body may take its time, and meanwhile its token may have been revoked.
  if (!context.isCurrent(route)) return REVOKED;
  const read = readMessages(body);
  if ('status' in read) return read;
  const { messages, isBatch } = read;
  if (isModernBody(request, messages)) {
    return serveModern(request, response, messages, isBatch, { types, client: context.modern(route), posts: context });
  }
  const { 'mcp-protocol-version': version } = request.headers;
  if (version !== undefined && !isLegacyRevision(version)) return UNKNOWN_VERSION;
  const lone = sessionlessRequest(request, messages, isBatch);
  const openBrief = lone && context.openBrief(route);
  if (lone !== undefined && openBrief !== undefined)
    return serveSessionless(request, response, lone, { types, openBrief, posts: context });
  const opened = sessionFor(post, messages, isBatch, context);
  if ('status' in opened) return opened;
  const { session, headers } = opened;
  const folder = folderOf(request);
  if (folder !== undefined) session.session.introduction.setFolder(folder);
  if (isBatch && (messages.length === 0 || !session.session.introduction.allowsBatches)) return NO_BATCHES;
  const denial = denialFor(messages, session, context);
  if (denial !== undefined) return denial;
  const expected = messages.filter((message) => message.kind === 'request' || message.kind === 'invalid').length;
  if (expected === 0) {
    for (const message of messages) session.session.onMessage(message, NO_EXCHANGE);
    response.writeHead(202, headers).end();
    return undefined;
  }
  const { events, prefersEvents } = types;
  const { backlog } = context;
  const onSettled = (settled: OpenExchange) => context.onSettled(settled);
  const exchange = events
    ? new PostExchange({
        response,
        backlog,
        expected,
        prefersEvents,
        headers: () => headers,
        openStream: () => session.openStream(),
        onSettled,
      })
    : new JsonExchange({ response, backlog, expected, isBatch, headers, onSettled });
  context.onBegun(exchange);
  for (const message of messages) session.session.onMessage(message, exchange);
  return undefined;
}

/** Returns the request of a body that begins no session and names none. */
function sessionlessRequest(
  request: IncomingMessage,
  messages: readonly Message[],
  isBatch: boolean,
): RequestMessage | undefined {
  const [message] = messages;
  if (isBatch || request.headers['mcp-session-id'] !== undefined || message?.kind !== 'request') return undefined;
  return message.method === 'initialize' ? undefined : message;
}

const NO_EXCHANGE = {
  reply: () => undefined,
  send: () => undefined,
  sendIfRoom: () => undefined,
  abandon: () => undefined,
};

function denialFor(
  messages: readonly Message[],
  { session }: HttpSession,
  context: PostContext,
): Rejection | undefined {
  for (const message of messages) {
    if (message.kind !== 'request') continue;
    if (context.isDraining()) return DRAINING;
    const denial = session.denialOf(message.method);
    if (denial !== undefined) return DENIALS[denial];
  }
  return undefined;
}

interface Messages {
  readonly messages: Message[];
  readonly isBatch: boolean;
}

function readMessages(body: Buffer): Messages | Rejection {
  try {
    const frame = Frame.ofPeer(body);
    const batch = readBatch(frame);
    const messages = batch ?? [readMessage(frame)];
    const [only] = messages;
    if (messages.length === 1 && only?.kind === 'invalid') {
      return { status: 400, error: { code: -32600, message: `Invalid request: ${only.reason}` } };
    }
    return { messages, isBatch: batch !== undefined };
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return { status: 400, error: { code: -32700, message: `Parse error: ${error.message}` } };
  }
}

function sessionFor(
  { request, route }: Post,
  messages: readonly Message[],
  isBatch: boolean,
  context: PostContext,
): { session: HttpSession; headers: Record<string, string> } | Rejection {
  if (messages.some((message) => message.kind === 'request' && message.method === 'initialize')) {
    if (isBatch) return NO_BATCHES;
    if (context.isDraining()) return DRAINING;
    const created = context.create(route);
    if (created === undefined) return TOO_MANY_SESSIONS;
    return { session: created.session, headers: { 'mcp-session-id': created.id } };
  }
  const id = request.headers['mcp-session-id'];
  if (typeof id !== 'string') return MISSING_SESSION;
  const session = context.find(id, route);
  if (session === undefined) return UNKNOWN_SESSION;
  session.touch();
  return { session, headers: {} };
}
