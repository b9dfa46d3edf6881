import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import {
  type Answer,
  beginEvents,
  eventOf,
  type HttpServer,
  type SeenRequest,
  sendJson,
  startHttpServer,
} from './http-server.ts';

/** A request with its way out, and what the server remembers. */
interface Turn {
  readonly request: SeenRequest;
  readonly response: ServerResponse;
  readonly server: UnrulyState;
  cutOff(): void;
}

export interface UnrulyState {
  /** Ids of the sessions that are known. */
  readonly sessions: Set<string>;
  /** How many there were. */
  opened: number;
  /** How often the tool has run. */
  runs: number;
  hasForgotten: boolean;
  /** The call whose answer it broke off. */
  brokenOff: number | undefined;
}

type Method = 'initialize' | 'tools/list' | 'tools/call' | 'GET' | 'other';

/** The ways in which it differs from a correct server, or does more than it must. */
type Misbehaviour = Partial<Record<Method, (turn: Turn) => void>> & { readonly hasNoSession?: boolean };

const resultOf = (id: unknown, result: object): object => ({ jsonrpc: '2.0', id, result });
const answerOf = ({ request }: Turn, result: object): object => resultOf(request.message.id, result);
const textOf = ({ request, server }: Turn, id: unknown = request.message.id): object =>
  resultOf(id, { content: [{ type: 'text', text: `run ${++server.runs}` }] });
const end = ({ response }: Turn, status: number, headers: object = {}, body = ''): void => {
  response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
};

/** Forgets all sessions before its first call, and says so with this status. */
const forgetful = (status: number, body?: object): Misbehaviour => ({
  'tools/call': (turn) => {
    const { request, response, server } = turn;
    if (!server.hasForgotten) server.sessions.clear();
    server.hasForgotten = true;
    const isKnown = server.sessions.has(String(request.headers['mcp-session-id']));
    if (isKnown) sendJson(response, textOf(turn));
    else if (body === undefined) end(turn, status);
    else sendJson(response, body, status);
  },
});

const NO_SESSION = { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'Bad Request: no valid session' } };

export const MISBEHAVIOURS = {
  'refuses a stream of its own with 405': { GET: (turn) => end(turn, 405) },
  'refuses a stream of its own with 404': { GET: (turn) => end(turn, 404) },
  'answers GET with 200 and an error in JSON': {
    GET: ({ response }) => sendJson(response, '{"error":"only POST is supported"}'),
  },
  'begins streams with an empty event and comments': {
    'tools/call': (turn) => {
      const send = beginEvents(turn.response);
      send(': hello\n\n', 'id: 1\nretry: 50\ndata:\n\n', 'event: ping\ndata: x\n\n', eventOf(textOf(turn)));
      turn.response.end();
    },
  },
  'breaks off its answer, and goes on with it when asked': {
    'tools/call': (turn) => {
      beginEvents(turn.response)('id: half\nretry: 20\ndata:\n\n');
      turn.server.brokenOff = turn.request.message.id;
      turn.response.end();
    },
    GET: (turn) => {
      if (turn.request.headers['last-event-id'] === undefined) {
        end(turn, 405);
        return;
      }
      beginEvents(turn.response)(eventOf(textOf(turn, turn.server.brokenOff), 'whole'));
      turn.response.end();
    },
  },
  'forgets its sessions, and says 404': forgetful(404),
  'forgets its sessions, and says 400': forgetful(400, NO_SESSION),
  'says 404 to every call': {
    'tools/call': (turn) => end(turn, 404),
    other: (turn) => end(turn, turn.request.message?.method === 'ping' ? 404 : 202),
  },
  'has no sessions': { hasNoSession: true },
  'is silent for longer than an idle connection is kept': {
    'tools/call': (turn) => {
      setTimeout(() => sendJson(turn.response, textOf(turn)), 5_000);
    },
  },
  'redirects within its origin': {
    'tools/call': (turn) => {
      if (turn.request.path === '/mcp') end(turn, 308, { location: '/elsewhere' });
      else sendJson(turn.response, textOf(turn));
    },
  },
  'redirects to GET': { 'tools/call': (turn) => end(turn, 303, { location: '/mcp/result' }) },
  'compresses what should not be': {
    'tools/call': (turn) => {
      turn.response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      turn.response.end(gzipSync(JSON.stringify(textOf(turn))));
    },
  },
  'answers with a page': { 'tools/call': (turn) => end(turn, 200, {}, '<html>sign in</html>') },
  'fails with a page': { 'tools/call': (turn) => end(turn, 500, {}, '<html>oops</html>') },
  'asks to be left alone for a while': { 'tools/call': (turn) => end(turn, 503, { 'retry-after': '7' }) },
  'ends its stream without an answer': {
    'tools/call': (turn) => {
      turn.server.runs++;
      beginEvents(turn.response)(': nothing\n\n');
      turn.response.end();
    },
  },
  'cuts the connection in the middle of an answer': {
    'tools/call': (turn) => {
      const text = JSON.stringify(textOf(turn));
      turn.response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(text.length) });
      turn.response.write(text.slice(0, 20), () => turn.cutOff());
    },
  },
} as const satisfies Record<string, Misbehaviour>;

export type Misbehaved = keyof typeof MISBEHAVIOURS;

export interface UnrulyServer extends HttpServer {
  readonly state: UnrulyState;
}

/** A legacy server with one tool, `run`, that misbehaves in one way; it ends with the test. */
export async function startUnruly(name: Misbehaved): Promise<UnrulyServer> {
  return serve(MISBEHAVIOURS[name]);
}

/** The same, but redirects its calls, with everything in them, to another origin. */
export async function startRedirecting(target: string): Promise<UnrulyServer> {
  return serve({ 'tools/call': (turn) => end(turn, 307, { location: target }) });
}

async function serve(misbehaviour: Misbehaviour): Promise<UnrulyServer> {
  const state: UnrulyState = { sessions: new Set(), opened: 0, runs: 0, hasForgotten: false, brokenOff: undefined };
  const answer: Answer = (request, response, raw) => {
    const turn: Turn = { request, response, server: state, cutOff: () => raw.socket.destroy() };
    const method = methodOf(request);
    (misbehaviour[method] ?? WELL[method])(turn, misbehaviour.hasNoSession === true);
  };
  return { ...(await startHttpServer(answer)), state };
}

function methodOf({ method, message }: SeenRequest): Method {
  if (method === 'GET') return 'GET';
  const name: unknown = message?.method;
  return name === 'initialize' || name === 'tools/list' || name === 'tools/call' ? name : 'other';
}

/** The behaviour of a server. */
const WELL: Record<Method, (turn: Turn, hasNoSession: boolean) => void> = {
  initialize: (turn, hasNoSession) => {
    const id = `session-${++turn.server.opened}`;
    turn.server.sessions.add(id);
    const result = {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'unruly', version: '1' },
    };
    sendJson(turn.response, answerOf(turn, result), 200, hasNoSession ? {} : { 'mcp-session-id': id });
  },
  'tools/list': (turn) =>
    sendJson(turn.response, answerOf(turn, { tools: [{ name: 'run', inputSchema: { type: 'object' } }] })),
  'tools/call': (turn) => sendJson(turn.response, textOf(turn)),
  GET: (turn) => end(turn, 405),
  other: (turn) => {
    const { message, headers } = turn.request;
    if (message?.id === undefined) turn.response.writeHead(202).end();
    else if (message.method !== 'ping')
      sendJson(turn.response, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'no' } });
    else if (turn.server.sessions.has(String(headers['mcp-session-id']))) sendJson(turn.response, answerOf(turn, {}));
    else sendJson(turn.response, NO_SESSION, 400);
  },
};
