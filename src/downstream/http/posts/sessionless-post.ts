import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { Session } from '../../../session/session.ts';
import type { RequestMessage } from '../../../wire/message.ts';
import { folderOf } from '../guards/client-folder.ts';
import { DENIALS, DRAINING, NO_JSON, NO_SESSION_METHOD, type Rejection } from '../guards/reject.ts';
import type { Backlog } from '../streams/backlog.ts';
import type { AnswerTypes } from './accept.ts';
import { JsonExchange } from './json-exchange.ts';

/** Requests that mean the same without a session: they leave nothing behind for a later one. */
const METHODS: ReadonlySet<string> = new Set([
  'ping',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
]);

export interface SessionlessContext {
  /** The content types that the client accepts. */
  readonly types: AnswerTypes;
  /** Returns a session for this request only. */
  openBrief(): Session;
  readonly posts: {
    readonly backlog: Backlog;
    isDraining(): boolean;
    onBegun(exchange: JsonExchange): void;
    onSettled(exchange: JsonExchange): void;
  };
}

/**
 * Serves one legacy request without a session and without `initialize`, as scripts and hooks send it (seed 000), or tells
 * why it is not served. The answer is one JSON text; the client cannot be asked anything. When the client leaves before
 * its answer, the call is cancelled.
 */
export function serveSessionless(
  request: IncomingMessage,
  response: ServerResponse,
  message: RequestMessage,
  context: SessionlessContext,
): Rejection | undefined {
  const { types, posts } = context;
  if (!METHODS.has(message.method)) return NO_SESSION_METHOD;
  if (!types.json) return NO_JSON;
  if (posts.isDraining()) return DRAINING;
  const session = context.openBrief();
  const denial = session.denialOf(message.method);
  if (denial !== undefined) {
    session.end();
    return DENIALS[denial];
  }
  const folder = folderOf(request);
  if (folder !== undefined) session.introduction.setFolder(folder);
  const exchange = new JsonExchange({
    response,
    backlog: posts.backlog,
    expected: 1,
    isBatch: false,
    headers: {},
    onSettled: (settled) => posts.onSettled(settled),
  });
  posts.onBegun(exchange);
  // With its answer, or when the client has left.
  finished(response, () => session.end());
  session.onMessage(message, exchange);
  return undefined;
}
