import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { McpServer as McpServerV1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import { createMcpHandler, type McpHttpHandler, type McpServer as McpServerV2 } from '@modelcontextprotocol/server';
import { type HttpServer, type SeenRequest, startHttpServer } from './http/http-server.ts';

/** A server as users of version 1 of the official SDK write one: each session has a transport and a server. */
export async function serveSdkV1(build: () => McpServerV1, port = 0): Promise<HttpServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const begin = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await build().connect(transport as TransportV1);
    return transport;
  };
  return startHttpServer(async (request, response, raw) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known !== undefined) await known.handleRequest(raw, response, request.message);
    else if (request.message?.method === 'initialize') {
      await (await begin()).handleRequest(raw, response, request.message);
    } else {
      // As the examples of the SDK do.
      response.writeHead(400, { 'content-type': 'application/json' });
      const error = { code: -32000, message: 'Bad Request: No valid session ID provided' };
      response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
    }
  }, port);
}

/** Answers what the server must not see; gives whether it did. */
type Guard = (request: SeenRequest, response: ServerResponse) => Promise<boolean>;

export type GuardedServer = HttpServer & Pick<McpHttpHandler, 'notify'>;

/** A server of version 2 of the SDK for the revision 2026-07-28; legacy clients are served without a session. */
export async function serveSdkV2(build: () => McpServerV2, guard: Guard = async () => false): Promise<GuardedServer> {
  const handler = createMcpHandler(() => build());
  const server = await startHttpServer(async (request, response) => {
    if (await guard(request, response)) return;
    const abort = new AbortController();
    response.on('close', () => abort.abort());
    await writeWeb(await handler.fetch(webRequest(request, abort.signal)), response);
  });
  return { ...server, notify: handler.notify };
}

function webRequest({ method, path, headers, body }: SeenRequest, signal: AbortSignal): Request {
  const { connection: _connection, 'content-length': _length, ...rest } = headers;
  const init = { method, headers: rest as Record<string, string>, signal, ...(body !== '' && { body }) };
  return new Request(`http://${headers.host}${path}`, init);
}

async function writeWeb(web: Response, response: ServerResponse): Promise<void> {
  response.writeHead(web.status, Object.fromEntries(web.headers));
  response.flushHeaders();
  try {
    for await (const chunk of web.body ?? []) response.write(chunk);
  } catch {
    // the client has gone
  }
  response.end();
}

/** A server as it was written for the transport of 2024-11-05, with version 1 of the SDK: the stream is at /sse. */
export async function serveSdkSse(build: () => McpServerV1): Promise<HttpServer & { readonly forget: () => void }> {
  const sessions = new Map<string, SSEServerTransport>();
  const server = await startHttpServer(async (request, response, raw) => {
    const { pathname, searchParams } = new URL(request.path, 'http://localhost');
    const known = sessions.get(searchParams.get('sessionId') ?? '');
    if (pathname === '/sse' && request.method === 'GET') {
      // oxlint-disable-next-line typescript/no-deprecated -- because such servers are what is tested
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      response.on('close', () => sessions.delete(transport.sessionId));
      await build().connect(transport);
    } else if (pathname === '/messages' && known !== undefined) {
      await known.handlePostMessage(raw, response, request.message);
    } else response.writeHead(404).end(`Cannot ${request.method} ${pathname}`);
  });
  // As a server does that was started anew behind a proxy which holds the streams.
  const forget = () => sessions.clear();
  return { ...server, forget, url: server.url.replace('/mcp', '/sse') };
}
