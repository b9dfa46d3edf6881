import type { Socket } from 'node:net';
import { TokenBuckets } from '../../core/timing/token-bucket.ts';
import { RefusalLog } from '../../telemetry/refusal-log.ts';
import { ConnectionLimit } from '../http/guards/connection-limit.ts';
import type { Certificate } from '../http/server/certificate.ts';
import type { ConnectionHost } from './serve-socket.ts';
import { TcpConnection } from './tcp-connection.ts';
import { TCP_TIMES, type TcpServerOptions, type TcpSettings } from './tcp-options.ts';
import { TcpPort } from './tcp-port.ts';
import { UnfinishedLines } from './unfinished-lines.ts';

/** Clients that do not take their last answers lose their connection after this. */
const CLOSE_MS = 500;
const TOO_MUCH = { code: -32603, message: 'Too much is being received; try again later' };

/** JSON-RPC in lines over TCP, or over a Unix socket: one client for each connection, within the limits that HTTP has. */
export class TcpServer {
  readonly #listener: TcpPort;
  readonly #connections = new Map<Socket, TcpConnection>();
  readonly #host: ConnectionHost;
  readonly #lines: UnfinishedLines;
  #settings: TcpSettings;
  #looking: NodeJS.Timeout | undefined;

  /**
   * Opens a server that listens.
   * @throws the system's error if the address cannot be had, Error where the path cannot be that of a socket
   */
  static async listen(options: TcpServerOptions): Promise<TcpServer> {
    const { address, certificate, log } = options;
    const refusals = new RefusalLog(log);
    const limit = new ConnectionLimit(
      () => server.#settings.connectionsPerAddress,
      () => refusals.note(0, 'too many connections of one address (limits.connectionsPerAddress)'),
    );
    const onConnection = (socket: Socket) => server.#onConnection(socket);
    const listener = await TcpPort.open({ address, certificate, limit, refusals, onConnection });
    const server = new TcpServer(options, listener, refusals);
    try {
      await listener.listen();
    } catch (error) {
      await server.close();
      throw error;
    }
    server.#looking = setInterval(() => server.#look(), server.#host.times.lookMs).unref();
    return server;
  }

  private constructor(options: TcpServerOptions, listener: TcpPort, refusals: RefusalLog) {
    this.#listener = listener;
    this.#settings = options.settings;
    const { times = TCP_TIMES } = options;
    const rates = new TokenBuckets(() => {
      const { requestsPerMinute } = this.#settings;
      return { capacity: requestsPerMinute, perMinute: requestsPerMinute };
    });
    const settings = () => this.#settings;
    const ratesIfAny = () => (this.#settings.requestsPerMinute === 0 ? undefined : rates);
    this.#host = { options, times, refusals, settings, rates: ratesIfAny };
    this.#lines = new UnfinishedLines(() => this.#settings.maxBodyBytes);
  }

  /** Url for clients. */
  get url(): string {
    return this.#listener.url;
  }

  /** Adopts other settings. Everything of clients that are no longer admitted ends at once. */
  configure(settings: TcpSettings): void {
    this.#settings = settings;
    this.#endStale();
  }

  /** Shows this certificate on new connections. Meant for a server that began with one. @throws when it cannot be used */
  setCertificate(certificate: Certificate): void {
    this.#listener.setCertificate(certificate);
  }

  /** Takes no more connections. */
  stopListening(): void {
    void this.#listener.stop();
  }

  /** Ends all sessions; resolves when every connection is closed. `reason` is for the log. */
  async close(reason = 'the gateway stops'): Promise<void> {
    clearInterval(this.#looking);
    const closed = this.#listener.stop();
    for (const connection of this.#connections.values()) connection.close(reason);
    const cut = setTimeout(() => this.#listener.cutAll(), CLOSE_MS);
    await closed;
    clearTimeout(cut);
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
}
