import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the server answers: in the body of a POST, on the stream of a POST, on the one stream of HTTP with SSE, or as 2026-07-28 has it. */
export const HELD_KINDS = ['http in JSON', 'http in events', 'sse', 'http of 2026-07-28'] as const;
export type HeldKind = (typeof HELD_KINDS)[number];

export interface HeldServer {
  /** For the config. */
  readonly entry: object;
  /** Calls of `slow` that are open. */
  readonly open: () => number;
  /** How many sessions, or connections of clients, there were. */
  readonly sessions: () => number;
  /** Calls of `slow` are answered. */
  release(): void;
  /** From now on nothing new is accepted; what is open stays open. */
  leave(): Promise<void>;
  comeBack(): Promise<void>;
  /** The status that answers the next call of `quick`, and all other requests of its session. */
  refuse(status: number): void;
}

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

const MODERN = '2026-07-28';
const TOOLS = ['slow', 'quick'].map((name) => ({ name, inputSchema: { type: 'object' } }));

/** A server with a tool `slow`, which is answered when the test says so, and `quick`; it ends when `whenDone` says. */
export async function startHeld(kind: HeldKind, whenDone: (end: () => void) => void): Promise<HeldServer> {
  const isModern = kind === 'http of 2026-07-28';
  const held: (() => void)[] = [];
  const known = new Set<string>();
  let events: ServerResponse | undefined;
  let sessions = 0;
  let refusal: number | undefined;
  let server: Server;

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    if (request.method === 'GET' && kind === 'sse') {
      events = response;
      known.add(`s${++sessions}`);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`event: endpoint\ndata: /messages?session=s${sessions}\n\n`);
    } else if (request.method !== 'POST') response.writeHead(405).end();
    else onMessage(JSON.parse(body) as Message, request, response);
  };

  function onMessage(message: Message, request: IncomingMessage, response: ServerResponse): void {
    const tool = message.params?.name;
    if (tool === 'quick' && refusal !== undefined) {
      const status = refusal;
      refusal = undefined;
      // A server that answers 404 has forgotten its state.
      if (status === 404) known.clear();
      response.writeHead(status).end();
    } else if (isForgotten(message, request)) response.writeHead(404).end();
    else if (message.id === undefined) response.writeHead(202).end();
    else {
      if (message.method === 'initialize' && kind !== 'sse') known.add(`s${++sessions}`);
      begin(message, response);
      const stream = events;
      const go = () => answer(message, response, stream);
      if (tool === 'slow') held.push(go);
      else go();
    }
  }

  function isForgotten({ method }: Message, { headers, url }: IncomingMessage): boolean {
    if (isModern || method === 'initialize') return kind === 'sse' && !known.has(sessionIn(url));
    return !known.has(kind === 'sse' ? sessionIn(url) : String(headers['mcp-session-id']));
  }

  /** Says that the message is being worked on, where that is a word of its own. */
  function begin({ method }: Message, response: ServerResponse): void {
    if (kind === 'sse') response.writeHead(202).end();
    else if (kind === 'http in events') {
      const session = method === 'initialize' ? { 'mcp-session-id': `s${sessions}` } : {};
      response.writeHead(200, { 'content-type': 'text/event-stream', ...session });
      response.write(': at work\n\n');
    }
  }

  function answer(message: Message, response: ServerResponse, stream: ServerResponse | undefined): void {
    const json = JSON.stringify({ jsonrpc: '2.0', id: message.id, result: resultOf(message, isModern) });
    if (kind === 'sse') stream?.write(`event: message\ndata: ${json}\n\n`);
    else if (kind === 'http in events') response.end(`event: message\ndata: ${json}\n\n`);
    else {
      const session = message.method === 'initialize' ? { 'mcp-session-id': `s${sessions}` } : {};
      response.writeHead(200, { 'content-type': 'application/json', ...session }).end(json);
    }
  }

  const listen = async (port: number): Promise<void> => {
    server = createServer((request, response) => void onRequest(request, response));
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const { port: own } = server.address() as AddressInfo;
    const listening = server;
    whenDone(() => {
      listening.closeAllConnections();
      listening.close();
    });
    address = own;
  };
  let address = 0;
  await listen(0);
  return {
    get entry() {
      const url = `http://127.0.0.1:${address}/mcp`;
      return { url, type: kind === 'sse' ? 'sse' : 'http', era: isModern ? MODERN : 'legacy' };
    },
    open: () => held.length,
    sessions: () => sessions,
    release() {
      for (const go of held.splice(0)) go();
    },
    async leave() {
      // The event fires only when the last connection has gone; that nothing new is accepted holds at once.
      server.close();
      server.closeIdleConnections();
    },
    comeBack: () => listen(address),
    refuse(status) {
      refusal = status;
    },
  };
}

const sessionIn = (url: string | undefined): string =>
  new URL(url!, 'http://localhost').searchParams.get('session') ?? '';

function resultOf({ method, params }: Message, isModern: boolean): object {
  const complete = isModern ? { resultType: 'complete' } : {};
  switch (method) {
    case 'initialize':
      return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'held', version: '1' } };
    case 'server/discover':
      return { ...complete, supportedVersions: [MODERN], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' };
    case 'tools/list':
      return { ...complete, tools: TOOLS, ...(isModern && { ttlMs: 0, cacheScope: 'private' }) };
    case 'tools/call':
      return { ...complete, content: [{ type: 'text', text: `${params?.name} is done` }] };
    default:
      return complete;
  }
}
