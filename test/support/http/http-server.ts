import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { atEnd } from '../shared.ts';

/** A request as a server under the test's control got it. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The JSON-RPC message in it, if there is one. */
  readonly message: any;
  /** The client has gone before it was answered in full. */
  isAborted: boolean;
}

export type Answer = (request: SeenRequest, response: ServerResponse, raw: IncomingMessage) => unknown;

export interface HttpServer {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly SeenRequest[];
  /** Ends all connections, and the server. */
  stop(): Promise<void>;
}

export interface ListenOptions {
  readonly host?: string;
  /** Makes it an https server. */
  readonly tls?: ServerOptions;
}

/** A server on this machine that does what the test wants with each request; it ends with the test. */
export async function startHttpServer(answer: Answer, port = 0, options: ListenOptions = {}): Promise<HttpServer> {
  const { host = '127.0.0.1', tls } = options;
  const requests: SeenRequest[] = [];
  const listener = async (raw: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of raw) body += String(chunk);
    const request: SeenRequest = {
      method: raw.method!,
      path: raw.url!,
      headers: raw.headers,
      body,
      message: isJson(raw) && body !== '' ? JSON.parse(body) : undefined,
      isAborted: false,
    };
    requests.push(request);
    response.on('close', () => {
      request.isAborted = !response.writableFinished;
    });
    await answer(request, response, raw);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const stop = async () => {
    const stopped = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await stopped;
  };
  atEnd(stop);
  const address = server.address() as AddressInfo;
  const scheme = tls === undefined ? 'http' : 'https';
  return {
    url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${address.port}/mcp`,
    port: address.port,
    requests,
    stop,
  };
}

/** Most tests do not say what they send. */
const isJson = ({ headers }: IncomingMessage): boolean => !headers['content-type']?.includes('urlencoded');

export function sendJson(response: ServerResponse, value: unknown, status = 200, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Begins a stream of events; what it gives writes them as they are. */
export function beginEvents(response: ServerResponse, headers: object = {}): (...events: string[]) => void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  response.flushHeaders();
  return (...events) => {
    for (const event of events) response.write(event);
  };
}

export const eventOf = (value: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: message\ndata: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
