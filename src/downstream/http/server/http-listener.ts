import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { listen } from '../../../core/addresses/listen.ts';
import { type Certificate, nameTest } from './certificate.ts';
import { openServer } from './open-server.ts';
import type { HttpServerOptions } from './server-options.ts';

/** Clients that do not take their last answers lose their connection after this. */
const CLOSE_MS = 500;
const CLOSE_POLL_MS = 50;

type ListenerOptions = Pick<HttpServerOptions, 'host' | 'port' | 'certificate'>;

/** The address of an HTTP server: listens there, stops, and shows the certificate. */
export class HttpListener {
  readonly server: Server | TlsServer;
  readonly scheme: 'http' | 'https';
  readonly #options: ListenerOptions;
  #isOwnName: (name: string) => boolean;
  #port = 0;
  /** Resolves when the last connection has gone; there from the moment on in which no new one is taken. */
  #closing: Promise<void> | undefined;

  /** Returns a listener that does not listen yet. */
  static async open(options: ListenerOptions): Promise<HttpListener> {
    return new HttpListener(options, await openServer(options.certificate));
  }

  private constructor(options: ListenerOptions, server: Server | TlsServer) {
    this.server = server;
    this.#options = options;
    this.scheme = options.certificate === undefined ? 'http' : 'https';
    this.#isOwnName = options.certificate === undefined ? () => false : nameTest(options.certificate);
  }

  /** The port that it listens on; 0 before that. */
  get port(): number {
    return this.#port;
  }

  /** The url of the server, without a path. */
  get origin(): string {
    const { host } = this.#options;
    return `${this.scheme}://${host.includes(':') ? `[${host}]` : host}:${this.#port}`;
  }

  /** True if no new connections are accepted. */
  get isStopping(): boolean {
    return this.#closing !== undefined;
  }

  /** Returns whether the certificate is for a name or an address. */
  isOwnName(name: string): boolean {
    return this.#isOwnName(name);
  }

  /**
   * Shows this certificate on new connections. Meant for a server that began with one.
   * @throws when it cannot be used; the old one stays
   */
  setCertificate(certificate: Certificate): void {
    const isOwnName = nameTest(certificate);
    (this.server as TlsServer).setSecureContext(certificate);
    this.#isOwnName = isOwnName;
  }

  /**
   * Listens on the address.
   * @param onLost is told of errors of connections later on
   * @throws the system's error when the address cannot be listened on
   */
  async listen(onLost: (error: Error) => void): Promise<void> {
    const { host, port } = this.#options;
    await listen(this.server, { host, port }, onLost);
    this.#port = (this.server.address() as AddressInfo).port;
  }

  /** Takes no more connections. Resolves when the last one has gone. */
  stop(): Promise<void> {
    // The HTTP server's own `close` would also end idle connections, on which clients may be sending a request now.
    this.#closing ??= new Promise((resolve) => NetServer.prototype.close.call(this.server, () => resolve()));
    return this.#closing;
  }

  /** Closes all connections, after pending writes to clients are done, unless they take too long. */
  async close(): Promise<void> {
    const closed = this.stop();
    const closeIdle = setInterval(() => this.server.closeIdleConnections(), CLOSE_POLL_MS);
    const closeAll = setTimeout(() => this.server.closeAllConnections(), CLOSE_MS);
    this.server.close();
    await closed;
    clearInterval(closeIdle);
    clearTimeout(closeAll);
  }
}
