import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  CAPABILITIES,
  LIST_NAMES,
  type ListName,
  listJson,
  OVERSIZED_BYTES,
} from '../../../fixtures/lists/failing-lists.ts';
import { beginEvents, eventOf, type HttpServer, type SeenRequest, sendJson, startHttpServer } from './http-server.ts';

/** How a list fails over HTTP; `events` is the stream of the client where the server answers there (HTTP with SSE). */
type Fail = (turn: {
  id: number;
  response: ServerResponse;
  raw: IncomingMessage;
  events: ((text: string) => void) | undefined;
}) => void;

const status =
  (code: number, type: string, body: string, headers: object = {}): Fail =>
  ({ response }) => {
    response.writeHead(code, { 'content-type': type, ...headers }).end(body);
  };

/** A body, or an event, that is no answer. */
const said =
  (textOf: (id: number) => string): Fail =>
  ({ id, response, events }) => {
    if (events === undefined) sendJson(response, textOf(id));
    else {
      response.writeHead(202).end();
      events(eventOf(textOf(id)));
    }
  };

export const HTTP_FAILURES = {
  'HTTP 404 with text': status(404, 'text/plain', 'not found'),
  'HTTP 429 with Retry-After': status(429, 'text/plain', 'slow down', { 'retry-after': '1' }),
  'HTTP 501 with JSON': status(501, 'application/json', '{"detail":"Not Implemented"}'),
  'HTTP 502 with HTML': status(502, 'text/html', '<html>'),
  'HTTP 503 with JSON': status(503, 'application/json', '{"error":"busy"}'),
  'HTTP 200 with nothing': status(200, 'application/json', ''),
  'a stream that ends': ({ response }) => {
    beginEvents(response)(': nothing\n\n');
    response.end();
  },
  'a closed connection': ({ raw }) => raw.socket.destroy(),
  'a JSON-RPC error': said((id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32603,"message":"starting"}}`),
  'broken JSON': said((id) => `{"jsonrpc":"2.0","id":${id},"result":{"tools":[}}`),
  'oversized JSON': said((id) => `{"jsonrpc":"2.0","id":${id},"result":{"filler":"${'x'.repeat(OVERSIZED_BYTES)}"}}`),
  silence: () => undefined,
} as const satisfies Record<string, Fail>;

export type HttpFailure = keyof typeof HTTP_FAILURES;
export const HTTP_FAILURE_NAMES = Object.keys(HTTP_FAILURES) as HttpFailure[];

export interface FailingHttp {
  /** Returns the address of a server of which this list fails in this way. */
  urlOf(transport: 'http' | 'sse', list: ListName, failure: HttpFailure, label: string): string;
  /** From now on every list is answered. */
  heal(): void;
}

/** Many servers on one port, by path, each with one list that fails; they end with the test. */
export async function startFailingHttp(): Promise<FailingHttp> {
  let isWell = false;
  const streams = new Map<string, (text: string) => void>();
  const answer = (request: SeenRequest, response: ServerResponse, raw: IncomingMessage): void => {
    const [transport, list, failure, label, isMessage] = request.path.slice(1).split('/').map(decodeURIComponent);
    const key = request.path.replace(/\/messages$/, '');
    if (request.method === 'GET' && transport === 'sse') {
      const send = beginEvents(response);
      streams.set(key, send);
      send(`event: endpoint\ndata: ${key}/messages\n\n`);
      return;
    }
    if (request.method !== 'POST' || (transport === 'sse' && isMessage === undefined)) {
      response.writeHead(405).end();
      return;
    }
    const { id, method } = request.message;
    if (id === undefined) response.writeHead(202).end();
    else if (method === list && !isWell) {
      HTTP_FAILURES[failure as HttpFailure]({ id, response, raw, events: streams.get(key) });
    } else answerWell({ id, method, label: label!, response, events: streams.get(key) });
  };
  const server: HttpServer = await startHttpServer(answer);
  const origin = new URL(server.url).origin;
  return {
    urlOf: (transport, list, failure, label) =>
      `${origin}/${transport}/${encodeURIComponent(list)}/${encodeURIComponent(failure)}/${label}`,
    heal: () => {
      isWell = true;
    },
  };
}

interface Turn {
  readonly id: number;
  readonly method: string;
  readonly label: string;
  readonly response: ServerResponse;
  readonly events: ((text: string) => void) | undefined;
}

function answerWell({ id, method, label, response, events }: Turn): void {
  const json = `{"jsonrpc":"2.0","id":${id},"result":${resultOf(method, label)}}`;
  if (events === undefined) sendJson(response, json, 200, { 'mcp-session-id': 's' });
  else {
    response.writeHead(202).end();
    events(eventOf(json));
  }
}

function resultOf(method: string, label: string): string {
  if (LIST_NAMES.includes(method as ListName)) return listJson(method as ListName, label);
  if (method === 'tools/call') return '{"content":[{"type":"text","text":"called"}]}';
  if (method !== 'initialize') return '{}';
  return JSON.stringify({
    protocolVersion: '2025-11-25',
    capabilities: CAPABILITIES,
    serverInfo: { name: 'failing', version: '1' },
  });
}
