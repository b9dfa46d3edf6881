import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { DEFAULT_PROFILE } from '../../core/access/client-grant.ts';
import type { Principal } from '../../core/access/principal.ts';
import { listen } from '../../core/addresses/listen.ts';
import { isLoopbackHost } from '../../core/addresses/loopback.ts';
import { TokenBuckets } from '../../core/timing/token-bucket.ts';
import { isLegacyRevision } from '../../era/legacy/legacy.ts';
import { MODERN_REVISION } from '../../era/modern/modern.ts';
import { RefusalLog } from '../../telemetry/refusal-log.ts';
import type { Credential } from './auth/credential.ts';
import { isMetadataPath, resourceMetadata } from './auth/resource-metadata.ts';
import { clientAddress } from './guards/client-address.ts';
import { ClientErrors } from './guards/client-errors.ts';
import { ConnectionLimit } from './guards/connection-limit.ts';
import { createGuard, type Guard } from './guards/guards.ts';
import {
  DRAINING,
  forbidden,
  LOST_EVENTS,
  MISSING_SESSION,
  NO_EVENTS,
  type Rejection,
  reject,
  TOO_MANY_STREAMS,
  tooManyRequests,
  UNKNOWN_SESSION,
  UNKNOWN_VERSION,
  unknownPath,
  wrongMethod,
} from './guards/reject.ts';
import { answerTypes } from './posts/accept.ts';
import { BodyReader } from './posts/body-reader.ts';
import { handlePost, type OpenExchange, type PostContext } from './posts/post.ts';
import { type Certificate, nameTest } from './server/certificate.ts';
import { KEEP_ALIVE_HEADER, openServer } from './server/open-server.ts';
import type { HttpServerOptions, HttpSettings } from './server/server-options.ts';
import type { ClientRoute } from './sessions/client-route.ts';
import type { HttpSession } from './sessions/http-session.ts';
import { HttpSessions } from './sessions/http-sessions.ts';
import { ModernClients } from './sessions/modern-clients.ts';
import { Backlog } from './streams/backlog.ts';
import { StreamLeases } from './streams/stream-leases.ts';

const PATH = '/mcp';
/** As it is written: nothing is decoded, so there is one spelling of each path. */
const PROFILE_PATH = /^\/mcp\/([a-z0-9][a-z0-9-]{0,39})$/;
const HEALTH_PATH = '/health';
const METHODS = 'GET, POST, DELETE';
const HOUSEKEEPING_MS = 5_000;
/** A call or a stream that is silent for so long gets a sign of life. */
const KEEP_ALIVE_MS = 15_000;
/** Clients that do not take their last answers lose their connection after this. */
const CLOSE_MS = 500;
const CLOSE_POLL_MS = 50;

/** Streamable HTTP, on one path for each profile: with sessions for legacy clients (2025-11-25, Transports), without any for modern ones (2026-07-28). */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server | TlsServer;
  readonly #sessions: HttpSessions;
  readonly #exchanges = new Set<OpenExchange>();
  readonly #refusals: RefusalLog;
  readonly #backlog: Backlog;
  readonly #clientErrors: ClientErrors;
  readonly #postContext: PostContext;
  readonly #modern: ModernClients;
  readonly #rates: TokenBuckets;
  readonly #leases = new StreamLeases();
  readonly #scheme: 'http' | 'https';
  #settings: HttpSettings;
  #guard: Guard;
  /** Whether our certificate is for a name. */
  #isOwnName: (name: string) => boolean = () => false;
  #housekeeping: NodeJS.Timeout | undefined;
  #keptAliveAt = performance.now();
  #port = 0;
  /** Resolves when the last connection has gone; there from the moment on in which no new one is taken. */
  #closing: Promise<void> | undefined;
  #onIdle: (() => void) | undefined;

  static async open(options: HttpServerOptions): Promise<HttpServer> {
    return new HttpServer(options, await openServer(options.certificate));
  }

  private constructor(options: HttpServerOptions, server: Server | TlsServer) {
    this.#server = server;
    this.#options = options;
    this.#settings = options.settings;
    this.#scheme = options.certificate === undefined ? 'http' : 'https';
    if (options.certificate !== undefined) this.#isOwnName = nameTest(options.certificate);
    this.#guard = this.#createGuard();
    this.#rates = new TokenBuckets(() => {
      const { requestsPerMinute } = this.#settings;
      return { capacity: requestsPerMinute, perMinute: requestsPerMinute };
    });
    this.#modern = new ModernClients(options.openModern);
    this.#refusals = new RefusalLog(options.log);
    this.#backlog = new Backlog(options.unread);
    this.#sessions = new HttpSessions(options.openSession, this.#backlog);
    this.#clientErrors = new ClientErrors(this.#refusals);
    this.#postContext = {
      bodies: new BodyReader(() => this.#settings.maxBodyBytes),
      find: (id, route) => this.#sessions.find(id, route),
      create: (route) => this.#sessions.create(route),
      openBrief: (route) => {
        const { sessionless, sessionlessFolder } = this.#settings;
        return sessionless ? () => this.#sessions.openBrief(route, sessionlessFolder) : undefined;
      },
      isCurrent: ({ principal }) => this.#settings.auth.isCurrent(principal.id),
      isDraining: () => this.#closing !== undefined,
      onBegun: (exchange) => this.#exchanges.add(exchange),
      onSettled: (exchange) => this.#onSettled(exchange),
      modern: (route) => this.#modern.of(route),
      backlog: this.#backlog,
      refusals: this.#refusals,
    };
    const onRequest = (request: IncomingMessage, response: ServerResponse) => this.#onRequest(request, response);
    this.#server.on('request', onRequest);
    // Nobody is told to go on with a body before the guard has seen the headers.
    this.#server.on('checkContinue', onRequest);
    this.#server.on('clientError', (error, socket) => this.#clientErrors.onError(error, socket as Socket));
    const connections = new ConnectionLimit(
      // Behind a proxy all come from its address.
      () => (this.#settings.behindProxy ? Number.POSITIVE_INFINITY : this.#settings.connectionsPerAddress),
      () => this.#refusals.note(0, 'too many connections of one address (limits.connectionsPerAddress)'),
    );
    this.#server.on('connection', (socket) => connections.onConnection(socket));
  }

  /** Goes over to other settings. What belongs to somebody who may not come in any more ends at once. */
  configure(settings: HttpSettings): void {
    this.#settings = settings;
    this.#guard = this.#createGuard();
    this.#endStale();
  }

  /**
   * New connections get this certificate. Meant for a server that began with one.
   * @throws when it cannot be used; the old one stays
   */
  setCertificate(certificate: Certificate): void {
    const isOwnName = nameTest(certificate);
    (this.#server as TlsServer).setSecureContext(certificate);
    this.#isOwnName = isOwnName;
  }

  get url(): string {
    const { host } = this.#options;
    return `${this.#scheme}://${host.includes(':') ? `[${host}]` : host}:${this.#port}${PATH}`;
  }

  /** @throws when the address cannot be listened on. */
  async listen(): Promise<void> {
    const { host, port } = this.#options;
    await listen(this.#server, { host, port }, (error) =>
      this.#refusals.note(0, `a connection was lost: ${error.message}`),
    );
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#guard = this.#createGuard();
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
    this.#sessions.endWhere(() => true);
    // What is still being written to a client leaves first.
    const closeIdle = setInterval(() => this.#server.closeIdleConnections(), CLOSE_POLL_MS);
    const closeAll = setTimeout(() => this.#server.closeAllConnections(), CLOSE_MS);
    this.#server.close();
    await closed;
    clearInterval(closeIdle);
    clearTimeout(closeAll);
  }

  #createGuard(): Guard {
    const { allowedHosts, allowedOrigins } = this.#settings;
    const isOwnName = (name: string) => this.#isOwnName(name);
    return createGuard({ port: this.#port, scheme: this.#scheme, allowedHosts, allowedOrigins, isOwnName });
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
    if (response.shouldKeepAlive) response.setHeader('keep-alive', KEEP_ALIVE_HEADER);
    const refusal = this.#guard(request);
    if (refusal !== undefined) {
      this.#reject(request, response, forbidden(refusal.status, refusal.reason));
      return;
    }
    if (this.#answerMetadata(request, response)) return;
    const { auth, behindProxy } = this.#settings;
    const address = clientAddress(request, behindProxy);
    const outcome = auth.authenticate({ authorization: request.headers.authorization, address });
    const go = (found: Credential | Rejection) => this.#onAuthenticated(request, response, address, found);
    if (outcome instanceof Promise) void outcome.then(go);
    else go(outcome);
  }

  /** The one way to all routes: none is reached without it. */
  #onAuthenticated(
    request: IncomingMessage,
    response: ServerResponse,
    address: string,
    outcome: Credential | Rejection,
  ): void {
    // The client may have left while keys were fetched.
    if (response.destroyed) return;
    if ('status' in outcome) {
      this.#reject(request, response, outcome);
      return;
    }
    const path = pathOf(request);
    const profile = path === PATH ? DEFAULT_PROFILE : this.#profileOf(path);
    const route = { principal: outcome.principal, profile: profile ?? DEFAULT_PROFILE };
    this.#backlog.attribute(request, response, route);
    const tooFast = this.#rateRejection(request, address, route);
    if (tooFast !== undefined) this.#reject(request, response, tooFast);
    else if (profile !== undefined) this.#onMcp(request, response, { ...route, expiresAt: outcome.expiresAt });
    else if (path === HEALTH_PATH && request.method === 'GET') this.#onHealth(response, outcome.principal);
    else this.#reject(request, response, unknownPath(PATH));
  }

  #profileOf(path: string): string | undefined {
    const name = PROFILE_PATH.exec(path)?.[1];
    return name !== undefined && this.#options.hasProfile(name) ? name : undefined;
  }

  /** Whoever has no token yet must be able to read where to get one. */
  #answerMetadata(request: IncomingMessage, response: ServerResponse): boolean {
    const { oauth } = this.#settings.auth;
    if (oauth === undefined || request.method !== 'GET') return false;
    if (!isMetadataPath(pathOf(request), oauth.rules.audience)) return false;
    answerJson(response, resourceMetadata(oauth.rules));
    return true;
  }

  #rateRejection(request: IncomingMessage, address: string, route: ClientRoute): Rejection | undefined {
    if (this.#settings.requestsPerMinute === 0) return undefined;
    const id = request.headers['mcp-session-id'];
    const session = typeof id === 'string' && this.#sessions.find(id, route) !== undefined ? id : undefined;
    const waitMs = this.#rates.take(route.principal.id || (session ?? address));
    return waitMs === 0 ? undefined : tooManyRequests('more than limits.requestsPerMinute', waitMs);
  }

  #onMcp(request: IncomingMessage, response: ServerResponse, route: ClientRoute & Pick<Credential, 'expiresAt'>): void {
    if (request.method === 'POST') {
      const isListening = request.headers['mcp-method'] === 'subscriptions/listen';
      if (isListening && !this.#mayStayOpen(request, response, route)) return;
      handlePost(request, response, this.#postContext, route);
      return;
    }
    const version = request.headers['mcp-protocol-version'];
    if (version !== undefined && !isLegacyRevision(version)) {
      this.#reject(request, response, version === MODERN_REVISION ? wrongMethod('POST') : UNKNOWN_VERSION);
      return;
    }
    switch (request.method) {
      case 'GET':
        if (this.#mayStayOpen(request, response, route)) this.#onGet(request, response, route);
        break;
      case 'DELETE':
        this.#onDelete(request, response, route);
        break;
      default:
        this.#reject(request, response, wrongMethod(METHODS));
    }
  }

  #mayStayOpen(
    request: IncomingMessage,
    response: ServerResponse,
    { principal, expiresAt }: ClientRoute & Pick<Credential, 'expiresAt'>,
  ): boolean {
    const mayStay = this.#leases.hold(response, principal, expiresAt);
    if (!mayStay) this.#reject(request, response, TOO_MANY_STREAMS);
    return mayStay;
  }

  #onGet(request: IncomingMessage, response: ServerResponse, route: ClientRoute): void {
    if (!answerTypes(request).events) {
      this.#reject(request, response, NO_EVENTS);
      return;
    }
    if (this.#closing !== undefined) {
      this.#reject(request, response, DRAINING);
      return;
    }
    const session = this.#sessionOf(request, response, route);
    if (session === undefined) return;
    const lastEventId = request.headers['last-event-id'];
    if (typeof lastEventId !== 'string') session.listen(response);
    else this.#onResume(request, response, session.resume(response, lastEventId));
  }

  /**
   * 204 tells a client not to come back (HTML, "Server-sent events"). An empty stream would not: clients of the official SDK
   * come back every second to a stream that has ended without a result, as that of a cancelled call does.
   */
  #onResume(request: IncomingMessage, response: ServerResponse, outcome: 'resumed' | 'lost' | 'over'): void {
    if (outcome === 'over') response.writeHead(204).end();
    else if (outcome === 'lost') this.#reject(request, response, LOST_EVENTS);
  }

  #onDelete(request: IncomingMessage, response: ServerResponse, route: ClientRoute): void {
    const session = this.#sessionOf(request, response, route);
    if (session === undefined) return;
    this.#sessions.end(session);
    response.writeHead(200).end();
  }

  /** Beyond loopback only whoever has proved to be somebody learns more than that the gateway runs. */
  #onHealth(response: ServerResponse, { id, access }: Principal): void {
    const isTrusted = access === undefined && (id !== '' || isLoopbackHost(this.#options.host));
    const details = isTrusted ? this.#options.health() : {};
    answerJson(response, JSON.stringify({ ok: true, sessions: this.#sessions.size, ...details }));
  }

  #sessionOf(request: IncomingMessage, response: ServerResponse, route: ClientRoute): HttpSession | undefined {
    const id = request.headers['mcp-session-id'];
    if (typeof id !== 'string') {
      this.#reject(request, response, MISSING_SESSION);
      return undefined;
    }
    const session = this.#sessions.find(id, route);
    if (session === undefined) this.#reject(request, response, UNKNOWN_SESSION);
    session?.touch();
    return session;
  }

  #endStale(): void {
    const { auth } = this.#settings;
    this.#sessions.endWhere(({ route }) => !auth.isCurrent(route.principal.id));
    this.#modern.endWhere(({ principal }) => !auth.isCurrent(principal.id));
  }

  #reject(request: IncomingMessage, response: ServerResponse, rejection: Rejection): void {
    reject(request, response, rejection, this.#refusals);
  }

  #keepHouse(): void {
    const now = performance.now();
    this.#endStale();
    this.#modern.keepHouse(now);
    this.#leases.closeExpired(Date.now());
    this.#sessions.endIdle(now);
    if (now - this.#keptAliveAt < KEEP_ALIVE_MS) return;
    this.#keptAliveAt = now;
    this.#sessions.keepAlive();
    for (const exchange of this.#exchanges) if (now - exchange.startedAt >= KEEP_ALIVE_MS) exchange.keepAlive();
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

function answerJson(response: ServerResponse, body: string): void {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  response.writeHead(200, headers).end(body);
}
