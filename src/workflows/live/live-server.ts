import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';
import { type HostPort, shownHostPort } from '../../core/addresses/host-port.ts';
import { listen } from '../../core/addresses/listen.ts';
import type { LiveFeed } from '../../core/providers/live-feed.ts';
import type { Log } from '../../telemetry/log.ts';
import { RefusalLog } from '../../telemetry/refusal-log.ts';
import { ConnectionGuard, HUB_PATH, type Refusal } from './connection-guard.ts';
import { Hub } from './hub.ts';
import type { LiveOptions } from './options.ts';

const MAX_MESSAGE = 64 * 1024;
/** Clients, and those who are not in yet. */
const MAX_CONNECTIONS = 128;
/** The time to wait for a client that does not close its connection, in milliseconds. */
const GOODBYE_MS = 500;

const FULL: Refusal = {
  status: 503,
  reason: 'as many clients as there may be are connected; try again later',
  headers: { 'retry-after': '5' },
};

export interface LiveServerOptions extends Pick<LiveOptions, 'allowedHosts' | 'allowedOrigins' | 'token' | 'slowMs'> {
  readonly feed: LiveFeed;
  readonly log: Log;
  readonly checkMs: number;
}

/** The hub on its own port: an HTTP server with a WebSocket and nothing else. */
export class LiveServer {
  readonly address: HostPort;
  readonly hub: Hub;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  readonly #guard: ConnectionGuard;
  readonly #refusals: RefusalLog;

  /** `server` listens at `address`. */
  private constructor(server: Server, address: HostPort, options: LiveServerOptions) {
    this.address = address;
    this.hub = new Hub(options);
    this.#server = server;
    this.#guard = new ConnectionGuard({ ...options, address });
    this.#refusals = new RefusalLog(options.log);
    // Compression would let a small frame grow beyond what may be sent.
    this.#sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE, perMessageDeflate: false });
    server.on('request', (request, response) => this.#onRequest(request, response));
    server.on('upgrade', (request: IncomingMessage, socket, head) => this.#onUpgrade(request, socket, head));
  }

  /** @throws the system's error if the address cannot be had */
  static async listen(address: HostPort, options: LiveServerOptions): Promise<LiveServer> {
    const server = createServer({ maxHeaderSize: 16 * 1024, connectionsCheckingInterval: 2_000 });
    server.headersTimeout = 10_000;
    server.requestTimeout = 10_000;
    server.maxConnections = MAX_CONNECTIONS;
    await listen(server, address, (error) => options.log.warn({ event: 'live', error }, 'a connection was lost'));
    const { port } = server.address() as AddressInfo;
    return new LiveServer(server, { ...address, port }, options);
  }

  get url(): string {
    return `ws://${shownHostPort(this.address)}${HUB_PATH}`;
  }

  /** The port is free at once; resolves when all connections are closed. */
  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    const allGone = new Promise((resolve) => this.#sockets.close(resolve));
    this.hub.close();
    await Promise.race([allGone, delay(GOODBYE_MS, undefined, { ref: false })]);
    for (const socket of this.#sockets.clients) socket.terminate();
    await allGone;
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const { status, reason, headers } = this.#refused(this.#guard.refuse(request));
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close', ...headers });
    response.end(`${reason}\n`);
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Until the package listens, which it does once it has the connection.
    socket.on('error', () => socket.destroy());
    const refusal = this.#guard.refuseUpgrade(request) ?? (this.hub.isFull ? FULL : undefined);
    if (refusal === undefined) {
      this.#sockets.handleUpgrade(request, socket, head, (opened: WebSocket) => this.hub.admit(opened));
      return;
    }
    socket.once('finish', () => socket.destroy());
    socket.end(rawResponse(this.#refused(refusal)));
  }

  #refused(refusal: Refusal): Refusal {
    this.#refusals.note(refusal.status, refusal.reason);
    return refusal;
  }
}

function rawResponse({ status, reason, headers }: Refusal): string {
  const body = `${reason}\n`;
  const all = {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}
