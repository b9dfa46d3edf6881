import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { listen } from '../../core/addresses/listen.ts';
import { listenUrl } from '../../core/addresses/listen-address.ts';
import { TokenBuckets } from '../../core/timing/token-bucket.ts';
import { RefusalLog } from '../../telemetry/refusal-log.ts';
import { ConnectionLimit } from '../http/guards/connection-limit.ts';
import type { Certificate } from '../http/server/certificate.ts';
import { HANDSHAKE_MS, MAX_CONNECTIONS } from '../http/server/open-server.ts';
import type { ConnectionHost } from './serve-socket.ts';
import { prepareSocketFile, type SocketFile } from './socket-file.ts';
import { TcpConnection } from './tcp-connection.ts';
import { TCP_TIMES, type TcpServerOptions, type TcpSettings } from './tcp-options.ts';
import { UnfinishedLines } from './unfinished-lines.ts';

/** Options of connections: a client may end its side and read on, and one whose machine is gone is noticed. */
const ACCEPT = { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 };
/** Clients that do not take their last answers lose their connection after this. */
const CLOSE_MS = 500;
const TOO_MUCH = { code: -32603, message: 'Too much is being received; try again later' };

/** JSON-RPC in lines over TCP, or over a Unix socket: one client for each connection, within the limits that HTTP has. */
export class TcpServer {
  readonly #options: TcpServerOptions;
  readonly #server: Server | TlsServer;
  readonly #connections = new Map<Socket, TcpConnection>();
  /** Sockets below TLS, including those in a handshake. */
  readonly #sockets = new Set<Socket>();
  readonly #host: ConnectionHost;
  readonly #lines: UnfinishedLines;
  readonly #limit: ConnectionLimit;
  #settings: TcpSettings;
  #file: SocketFile | undefined;
  #looking: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  /**
   * Opens a server that listens.
   * @throws the system's error where the address cannot be had, Error where the path cannot be that of a socket
   */
  static async listen(options: TcpServerOptions): Promise<TcpServer> {
    const server = new TcpServer(options, await openSocketServer(options.certificate));
    await server.#listen();
    return server;
  }

  private constructor(options: TcpServerOptions, server: Server | TlsServer) {
    this.#options = options;
    this.#server = server;
    this.#settings = options.settings;
    const { times = TCP_TIMES, log } = options;
    const rates = new TokenBuckets(() => {
      const { requestsPerMinute } = this.#settings;
      return { capacity: requestsPerMinute, perMinute: requestsPerMinute };
    });
    const refusals = new RefusalLog(log);
    const settings = () => this.#settings;
    const ratesIfAny = () => (this.#settings.requestsPerMinute === 0 ? undefined : rates);
    this.#host = { options, times, refusals, settings, rates: ratesIfAny };
    this.#lines = new UnfinishedLines(() => this.#settings.maxBodyBytes);
    this.#limit = new ConnectionLimit(
      () => this.#settings.connectionsPerAddress,
      () => refusals.note(0, 'too many connections of one address (limits.connectionsPerAddress)'),
    );
    this.#accept();
  }

  /** Url for clients. */
  get url(): string {
    const { address, certificate } = this.#options;
    const bound = this.#server.address();
    const isPort = address.path === undefined && bound !== null && typeof bound === 'object';
    const reached = isPort ? { host: address.host, port: (bound as AddressInfo).port } : address;
    return listenUrl(reached, certificate !== undefined);
  }

  /** Goes over to other settings. What belongs to somebody who may not come in any more ends at once. */
  configure(settings: TcpSettings): void {
    this.#settings = settings;
    this.#endStale();
  }

  /** New connections get this certificate. Meant for a server that began with one. @throws when it cannot be used */
  setCertificate(certificate: Certificate): void {
    (this.#server as TlsServer).setSecureContext(certificate);
  }

  /** Takes no more connections. */
  stopListening(): void {
    void this.#stopListening();
  }

  /** Ends all sessions; resolves when every connection is closed. `reason` is for the log. */
  async close(reason = 'the gateway stops'): Promise<void> {
    clearInterval(this.#looking);
    const closed = this.#stopListening();
    for (const connection of this.#connections.values()) connection.close(reason);
    const cut = setTimeout(() => this.#cutAll(), CLOSE_MS);
    await closed;
    clearTimeout(cut);
  }

  async #listen(): Promise<void> {
    const { address } = this.#options;
    if (address.path !== undefined) this.#file = await prepareSocketFile(address.path);
    const where = this.#file === undefined ? address : { path: this.#file.bound };
    await listen(this.#server, where, (error) =>
      this.#host.refusals.note(0, `a connection was lost: ${error.message}`),
    );
    try {
      this.#file?.publish();
    } catch (error) {
      await this.close();
      throw error;
    }
    this.#looking = setInterval(() => this.#look(), this.#host.times.lookMs).unref();
  }

  #accept(): void {
    const isSecure = this.#options.certificate !== undefined;
    this.#server.on('connection', (socket) => {
      socket.on('error', () => undefined);
      this.#limit.onConnection(socket);
      if (socket.destroyed) return;
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      if (!isSecure) this.#onConnection(socket);
    });
    this.#server.on('drop', () => this.#host.refusals.note(0, `more than ${MAX_CONNECTIONS} connections`));
    if (!isSecure) return;
    this.#server.on('secureConnection', (socket: Socket) => this.#onConnection(socket));
    this.#server.on('tlsClientError', (_error: Error, socket: Socket) => {
      this.#host.refusals.note(0, 'a client over TCP does not speak TLS, or not as it must');
      socket.destroy();
    });
  }

  #onConnection(socket: Socket): void {
    socket.on('error', () => undefined);
    const connection = new TcpConnection(socket, this.#host);
    this.#connections.set(socket, connection);
    this.#lines.watch(socket, () => connection.refuse(TOO_MUCH, 'null', 503));
    socket.once('close', () => this.#connections.delete(socket));
  }

  #look(): void {
    this.#endStale();
    for (const socket of this.#lines.overdue(performance.now(), this.#host.times.messageMs)) {
      this.#host.refusals.note(408, 'a TCP client has not sent a whole message in time');
      this.#connections.get(socket)?.close('a message took too long');
    }
  }

  #endStale(): void {
    const now = Date.now();
    for (const connection of this.#connections.values()) connection.closeIfStale(now);
  }

  #stopListening(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#file?.remove();
    });
    return this.#closing;
  }

  #cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }
}

async function openSocketServer(certificate: Certificate | undefined): Promise<Server | TlsServer> {
  const server = certificate === undefined ? createServer(ACCEPT) : await secureServer(certificate);
  server.maxConnections = MAX_CONNECTIONS;
  return server;
}

async function secureServer(certificate: Certificate): Promise<TlsServer> {
  // Only those who use TLS wait for it.
  const tls = await import('node:tls');
  return tls.createServer({ ...ACCEPT, ...certificate, handshakeTimeout: HANDSHAKE_MS });
}
