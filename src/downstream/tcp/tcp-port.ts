import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { Server as TlsServer } from 'node:tls';
import { listen } from '../../core/addresses/listen.ts';
import { listenUrl } from '../../core/addresses/listen-address.ts';
import type { RefusalLog } from '../../telemetry/refusal-log.ts';
import type { ConnectionLimit } from '../http/guards/connection-limit.ts';
import type { Certificate } from '../http/server/certificate.ts';
import { HANDSHAKE_MS, MAX_CONNECTIONS } from '../http/server/open-server.ts';
import { prepareSocketFile, type SocketFile } from './socket-file.ts';
import type { TcpServerOptions } from './tcp-options.ts';

/** Options of connections: a client may end its side and read on, and one whose machine is gone is noticed. */
const ACCEPT = { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 };

export interface ListenerOptions extends Pick<TcpServerOptions, 'address' | 'certificate'> {
  readonly limit: ConnectionLimit;
  readonly refusals: RefusalLog;
  /** A connection can be read; with a certificate, after its handshake. */
  readonly onConnection: (socket: Socket) => void;
}

/** The port, or the socket in the file system, on which clients connect. */
export class TcpPort {
  readonly #options: ListenerOptions;
  readonly #server: Server | TlsServer;
  /** Sockets below TLS, including those in a handshake. */
  readonly #sockets = new Set<Socket>();
  #file: SocketFile | undefined;
  #closing: Promise<void> | undefined;

  /** Returns a listener that does not listen yet. */
  static async open(options: ListenerOptions): Promise<TcpPort> {
    return new TcpPort(options, await openSocketServer(options.certificate));
  }

  private constructor(options: ListenerOptions, server: Server | TlsServer) {
    this.#options = options;
    this.#server = server;
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

  /** Shows this certificate on new connections. Meant for a listener that began with one. @throws when it cannot be used */
  setCertificate(certificate: Certificate): void {
    (this.#server as TlsServer).setSecureContext(certificate);
  }

  /**
   * Listens on the address. After a failure it may be listening all the same, and must be stopped.
   * @throws the system's error if the address cannot be had, Error where the path cannot be that of a socket
   */
  async listen(): Promise<void> {
    const { address, refusals } = this.#options;
    if (address.path !== undefined) this.#file = await prepareSocketFile(address.path);
    const where = this.#file === undefined ? address : { path: this.#file.bound };
    await listen(this.#server, where, (error) => refusals.note(0, `a connection was lost: ${error.message}`));
    this.#file?.publish();
  }

  /** Takes no more connections. Resolves when the last one is closed. */
  stop(): Promise<void> {
    this.#closing ??= new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#file?.remove();
    });
    return this.#closing;
  }

  /** Cuts off all connections. */
  cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(): void {
    const { certificate, onConnection, refusals } = this.#options;
    this.#server.on('connection', (socket) => this.#onSocket(socket));
    this.#server.on('drop', () => refusals.note(0, `more than ${MAX_CONNECTIONS} connections`));
    if (certificate === undefined) return;
    this.#server.on('secureConnection', onConnection);
    this.#server.on('tlsClientError', (_error: Error, socket: Socket) => {
      refusals.note(0, 'a client over TCP does not speak TLS, or not as it must');
      socket.destroy();
    });
  }

  #onSocket(socket: Socket): void {
    const { limit, certificate, onConnection } = this.#options;
    socket.on('error', () => undefined);
    limit.onConnection(socket);
    if (socket.destroyed) return;
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (certificate === undefined) onConnection(socket);
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
