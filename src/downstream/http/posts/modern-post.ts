import type { IncomingMessage, ServerResponse } from 'node:http';
import { headerProblem } from '../../../era/http/http-headers.ts';
import { claimsModern, type Envelope, readEnvelope } from '../../../era/modern/envelope.ts';
import { MODERN_ERRORS, MODERN_REVISION } from '../../../era/modern/modern.ts';
import { type ModernClient, unsupportedVersion } from '../../../session/modern/modern-client.ts';
import type { OpenRequest } from '../../../session/open-requests.ts';
import { lastMember, stringAt } from '../../../wire/lens.ts';
import { type Message, paramsOf, type RequestMessage } from '../../../wire/message.ts';
import type { ErrorBody } from '../../../wire/reply.ts';
import { folderOf } from '../guards/client-folder.ts';
import { DENIALS, DRAINING, NO_BATCHES, NO_EVENTS, NO_RESPONSES, type Rejection } from '../guards/reject.ts';
import type { Backlog } from '../streams/backlog.ts';
import type { AnswerTypes } from './accept.ts';
import { ModernExchange } from './modern-exchange.ts';

export interface ModernPostContext {
  /** The content types that the client accepts. */
  readonly types: AnswerTypes;
  readonly client: ModernClient;
  readonly posts: {
    readonly backlog: Backlog;
    isDraining(): boolean;
    onBegun(exchange: ModernExchange): void;
    onSettled(exchange: ModernExchange): void;
  };
}

/** Returns true if a body belongs to the modern era: a request says so itself; for anything else the headers must. */
export function isModernBody(request: IncomingMessage, messages: readonly Message[]): boolean {
  const says = (message: Message) =>
    (message.kind === 'request' || message.kind === 'notification') && claimsModern(message.frame, paramsOf(message));
  if (messages.some(says)) return true;
  const isInitialize = messages.some((message) => message.kind === 'request' && message.method === 'initialize');
  return request.headers['mcp-protocol-version'] === MODERN_REVISION && !isInitialize;
}

/** Serves the body of one modern POST, or tells why it is not served (2026-07-28, Streamable HTTP). */
export function serveModern(
  request: IncomingMessage,
  response: ServerResponse,
  messages: readonly Message[],
  isBatch: boolean,
  context: ModernPostContext,
): Rejection | undefined {
  const [message] = messages;
  if (isBatch || message === undefined) return NO_BATCHES;
  switch (message.kind) {
    case 'request':
      return serveRequest(request, response, message, context);
    case 'notification':
      // None has a meaning over HTTP: closing a stream is what cancels.
      response.writeHead(202).end();
      return undefined;
    default:
      return NO_RESPONSES;
  }
}

function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  message: RequestMessage,
  { types, client, posts }: ModernPostContext,
): Rejection | undefined {
  if (posts.isDraining()) return DRAINING;
  const checked = check(request, message, client);
  if ('error' in checked) return checked;
  const denial = client.denialOf(message);
  if (denial !== undefined) return DENIALS[denial];
  if (message.method === 'subscriptions/listen' && !types.events) return NO_EVENTS;
  let open: OpenRequest | undefined;
  const exchange = new ModernExchange({
    response,
    backlog: posts.backlog,
    types,
    onSettled: (settled) => posts.onSettled(settled),
    onLeft: () => open?.cancel('"the client has closed the connection"'),
  });
  posts.onBegun(exchange);
  open = client.onRequest(message, checked, exchange, folderOf(request));
  return undefined;
}

function check(request: IncomingMessage, message: RequestMessage, client: ModernClient): Envelope | Rejection {
  const { text } = message.frame;
  const params = paramsOf(message);
  const refuse = (error: ErrorBody): Rejection => ({ status: 400, error, id: message.id });
  const envelope = readEnvelope(message.frame, params);
  if ('problem' in envelope) {
    return refuse({ code: -32602, message: `Invalid params for ${message.method}: ${envelope.problem}` });
  }
  const header = request.headers['mcp-protocol-version'];
  if (envelope.version !== MODERN_REVISION && (header === undefined || header === envelope.version)) {
    return refuse(unsupportedVersion(envelope.version));
  }
  const { method } = message;
  const name = method === 'tools/call' ? stringAt(text, lastMember(params, 'name')) : undefined;
  const declarations = name === undefined ? [] : client.toolHeadersOf(name);
  const problem = headerProblem(request.headers, { method, version: envelope.version, text, params }, declarations);
  return problem === undefined
    ? envelope
    : refuse({ code: MODERN_ERRORS.headerMismatch, message: `Header mismatch: ${problem}` });
}
