import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { DEFAULT_PROFILE } from '../../core/admittance.ts';
import { isLegacyRevision } from '../../era/legacy.ts';
import { MODERN_REVISION } from '../../era/modern.ts';
import type { ModernClient, ModernClientOptions } from '../../session/modern-client.ts';
import type { Session, SessionOptions } from '../../session/session.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Bytes } from '../../wire/bytes.ts';
import { Backlog } from './backlog.ts';
import { BodyReader } from './body-reader.ts';
import { ClientErrors } from './client-errors.ts';
import { createGuard, type Refusal } from './guards.ts';
import { HttpSession } from './http-session.ts';
import { handlePost, type OpenExchange, type PostContext } from './post.ts';
import { RefusalLog } from './refusal-log.ts';
import {
  DRAINING,
  forbidden,
  LOST_EVENTS,
  MISSING_SESSION,
  NO_EVENTS,
  type Rejection,
  reject,
  UNKNOWN_SESSION,
  UNKNOWN_VERSION,
  unknownPath,
  wrongMethod,
} from './reject.ts';

const PATH = '/mcp';
/** As it is written: nothing is decoded, so there is one spelling of each path. */
const PROFILE_PATH = /^\/mcp\/([a-z0-9][a-z0-9-]{0,39})$/;
const HEALTH_PATH = '/health';
const METHODS = 'GET, POST, DELETE';
const HOUSEKEEPING_MS = 5_000;
/** A call or a stream that is silent for so long gets a sign of life. */
const KEEP_ALIVE_MS = 15_000;
const SESSION_IDLE_MS = 30 * 60_000;
const MAX_SESSIONS = 1_000;
/** Clients that do not take their last answers lose their connection after this. */
const CLOSE_MS = 500;
const CLOSE_POLL_MS = 50;

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  readonly log: Log;
  /** Whether there is a profile of a name, with a path of its own. */
  readonly hasProfile: (name: string) => boolean;
  readonly openSession: (options: SessionOptions) => Session;
  /** Serves requests of the modern era. */
  readonly openModern: (options: ModernClientOptions) => ModernClient;
}

/** Streamable HTTP, on one path for each profile: with sessions for legacy clients (2025-11-25, Transports), without any for modern ones (2026-07-28). */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #sessions = new Map<string, HttpSession>();
  /** By profile. */
  readonly #modern = new Map<string, ModernClient>();
  readonly #exchanges = new Set<OpenExchange>();
  readonly #refusals: RefusalLog;
  readonly #backlog: Backlog;
  readonly #clientErrors: ClientErrors;
  readonly #postContext: PostContext;
  readonly #guard: (request: IncomingMessage) => Refusal | undefined;
  #housekeeping: NodeJS.Timeout | undefined;
  #keptAliveAt = performance.now();
  #port = 0;
  /** Resolves when the last connection has gone; there from the moment on in which no new one is taken. */
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#guard = createGuard({ ...options, port: () => this.#port });
    this.#refusals = new RefusalLog(options.log);
    this.#backlog = new Backlog(options.log);
    this.#clientErrors = new ClientErrors(this.#refusals);
    this.#postContext = {
      bodies: new BodyReader(options.maxBodyBytes),
      find: (id, profile) => this.#find(id, profile),
      create: (profile) => this.#createSession(profile),
      isDraining: () => this.#closing !== undefined,
      onBegun: (exchange) => this.#exchanges.add(exchange),
      onSettled: (exchange) => this.#onSettled(exchange),
      modern: (profile) => this.#modernOf(profile),
      backlog: this.#backlog,
      refusals: this.#refusals,
    };
    this.#server = createServer({ maxHeaderSize: 16 * 1024, connectionsCheckingInterval: 2_000 });
    const onRequest = (request: IncomingMessage, response: ServerResponse) => this.#onRequest(request, response);
    this.#server.on('request', onRequest);
    // Nobody is told to go on with a body before the guard has seen the headers.
    this.#server.on('checkContinue', onRequest);
    this.#server.on('clientError', (error, socket) => this.#clientErrors.onError(error, socket as Socket));
    this.#server.headersTimeout = 10_000;
    this.#server.requestTimeout = 30_000;
    this.#server.keepAliveTimeout = 65_000;
    this.#server.maxConnections = 500;
  }

  get url(): string {
    const { host } = this.#options;
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.#port}${PATH}`;
  }

  /** @throws when the address cannot be listened on. */
  async listen(): Promise<void> {
    const { host, port } = this.#options;
    await new Promise<void>((resolve, fail) => {
      this.#server.once('error', fail);
      this.#server.listen(port, host, () => {
        this.#server.off('error', fail);
        resolve();
      });
    });
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#housekeeping = setInterval(() => this.#keepHouse(), HOUSEKEEPING_MS);
    this.#housekeeping.unref();
  }

  /**
   * Takes no more connections, and no more requests on those there are. Resolves when the last request is answered,
   * after `ms` milliseconds at the latest.
   */
  async drain(ms: number): Promise<void> {
    void this.#stopListening();
    if (this.#exchanges.size === 0) return;
    await new Promise<void>((resolve) => {
      const patience = setTimeout(resolve, ms);
      this.#onIdle = () => {
        clearTimeout(patience);
        resolve();
      };
    });
  }

  /** Takes no more requests, ends all sessions, closes all connections. */
  async close(): Promise<void> {
    clearInterval(this.#housekeeping);
    const closed = this.#stopListening();
    for (const [id, session] of this.#sessions) this.#endSession(id, session);
    // What is still being written to a client leaves first.
    const closeIdle = setInterval(() => this.#server.closeIdleConnections(), CLOSE_POLL_MS);
    const closeAll = setTimeout(() => this.#server.closeAllConnections(), CLOSE_MS);
    this.#server.close();
    await closed;
    clearInterval(closeIdle);
    clearTimeout(closeAll);
  }

  #stopListening(): Promise<void> {
    // The HTTP server's own `close` would also end idle connections, on which clients may be sending a request now.
    this.#closing ??= new Promise((resolve) => NetServer.prototype.close.call(this.#server, () => resolve()));
    return this.#closing;
  }

  #onSettled(exchange: OpenExchange): void {
    this.#exchanges.delete(exchange);
    if (this.#exchanges.size === 0) this.#onIdle?.();
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    this.#clientErrors.onRequest(request.socket, response);
    const refusal = this.#guard(request);
    if (refusal !== undefined) {
      this.#reject(request, response, forbidden(refusal.status, refusal.reason));
      return;
    }
    const { url = '' } = request;
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    const profile = path === PATH ? DEFAULT_PROFILE : this.#profileOf(path);
    if (profile !== undefined) this.#onMcp(request, response, profile);
    else if (path === HEALTH_PATH && request.method === 'GET') this.#onHealth(response);
    else this.#reject(request, response, unknownPath(PATH));
  }

  #profileOf(path: string): string | undefined {
    const name = PROFILE_PATH.exec(path)?.[1];
    return name !== undefined && this.#options.hasProfile(name) ? name : undefined;
  }

  #onMcp(request: IncomingMessage, response: ServerResponse, profile: string): void {
    if (request.method === 'POST') {
      handlePost(request, response, profile, this.#postContext);
      return;
    }
    const version = request.headers['mcp-protocol-version'];
    if (version !== undefined && !isLegacyRevision(version)) {
      this.#reject(request, response, version === MODERN_REVISION ? wrongMethod('POST') : UNKNOWN_VERSION);
      return;
    }
    switch (request.method) {
      case 'GET':
        this.#onGet(request, response, profile);
        break;
      case 'DELETE':
        this.#onDelete(request, response, profile);
        break;
      default:
        this.#reject(request, response, wrongMethod(METHODS));
    }
  }

  #onGet(request: IncomingMessage, response: ServerResponse, profile: string): void {
    if (!(request.headers.accept ?? '').includes('text/event-stream')) {
      this.#reject(request, response, NO_EVENTS);
      return;
    }
    if (this.#closing !== undefined) {
      this.#reject(request, response, DRAINING);
      return;
    }
    const session = this.#sessionOf(request, response, profile);
    if (session === undefined) return;
    const lastEventId = request.headers['last-event-id'];
    if (typeof lastEventId !== 'string') session.listen(response);
    else if (!session.resume(response, lastEventId)) this.#reject(request, response, LOST_EVENTS);
  }

  #onDelete(request: IncomingMessage, response: ServerResponse, profile: string): void {
    const session = this.#sessionOf(request, response, profile);
    if (session === undefined) return;
    this.#endSession(session.session.id, session);
    response.writeHead(200).end();
  }

  #onHealth(response: ServerResponse): void {
    const body = JSON.stringify({ ok: true, sessions: this.#sessions.size });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  }

  #sessionOf(request: IncomingMessage, response: ServerResponse, profile: string): HttpSession | undefined {
    const id = request.headers['mcp-session-id'];
    if (typeof id !== 'string') {
      this.#reject(request, response, MISSING_SESSION);
      return undefined;
    }
    const session = this.#find(id, profile);
    if (session === undefined) this.#reject(request, response, UNKNOWN_SESSION);
    session?.touch();
    return session;
  }

  #reject(request: IncomingMessage, response: ServerResponse, rejection: Rejection): void {
    reject(request, response, rejection, this.#refusals);
  }

  #createSession(profile: string): { id: string; session: HttpSession } | undefined {
    if (this.#sessions.size >= MAX_SESSIONS) return undefined;
    const id = randomUUID();
    const hangUp = () => this.#endSession(id, session);
    const open = (output: (bytes: Bytes) => void) =>
      this.#options.openSession({ id, transport: 'http', profile, output, hangUp });
    const session = new HttpSession(open, this.#backlog);
    this.#sessions.set(id, session);
    return { id, session };
  }

  /** A session exists only under the path that made it. */
  #find(id: string, profile: string): HttpSession | undefined {
    const session = this.#sessions.get(id);
    return session?.session.profile === profile ? session : undefined;
  }

  #modernOf(profile: string): ModernClient {
    let client = this.#modern.get(profile);
    if (client === undefined) {
      const id = profile === DEFAULT_PROFILE ? 'http' : `http/${profile}`;
      const hangUp = () => this.#modern.delete(profile);
      client = this.#options.openModern({ id, transport: 'http', isOneProgram: false, profile, hangUp });
      this.#modern.set(profile, client);
    }
    return client;
  }

  #endSession(id: string, session: HttpSession): void {
    this.#sessions.delete(id);
    session.end();
  }

  #keepHouse(): void {
    const now = performance.now();
    for (const [id, session] of this.#sessions) {
      if (session.idleMs(now) > SESSION_IDLE_MS) this.#endSession(id, session);
    }
    if (now - this.#keptAliveAt < KEEP_ALIVE_MS) return;
    this.#keptAliveAt = now;
    for (const session of this.#sessions.values()) session.keepAlive();
    for (const exchange of this.#exchanges) if (now - exchange.startedAt >= KEEP_ALIVE_MS) exchange.keepAlive();
  }
}
