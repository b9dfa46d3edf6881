import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { DEFAULT_PROFILE } from '../../core/access/client-grant.ts';
import { RefusalLog } from '../../telemetry/refusal-log.ts';
import { Admission, type LeasedRoute } from './guards/admission.ts';
import { ClientErrors } from './guards/client-errors.ts';
import { ConnectionLimit } from './guards/connection-limit.ts';
import { reject, unknownPath } from './guards/reject.ts';
import { McpEndpoint } from './mcp-endpoint.ts';
import { OpenPosts } from './posts/open-posts.ts';
import type { Certificate } from './server/certificate.ts';
import { type Chores, Housekeeping } from './server/housekeeping.ts';
import { HttpListener } from './server/http-listener.ts';
import { answerJson, HEALTH_PATH, healthFor, metadataAt } from './server/info-pages.ts';
import { KEEP_ALIVE_HEADER } from './server/open-server.ts';
import type { HttpServerOptions, HttpSettings } from './server/server-options.ts';
import { HttpClients } from './sessions/http-clients.ts';
import { Backlog } from './streams/backlog.ts';

const PATH = '/mcp';
/** Matches the path of a profile as it is written: nothing is decoded, so each path has one spelling. */
const PROFILE_PATH = /^\/mcp\/([a-z0-9][a-z0-9-]{0,39})$/;

/**
 * Streamable HTTP, on one path for each profile: with sessions for legacy clients (2025-11-25, Transports), without any for modern
 * ones (2026-07-28). Every request passes the admission, and then goes to the endpoint or to a page.
 */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #listener: HttpListener;
  readonly #refusals: RefusalLog;
  readonly #clients: HttpClients;
  readonly #exchanges: OpenPosts;
  readonly #endpoint: McpEndpoint;
  readonly #admission: Admission;
  readonly #housekeeping: Housekeeping;
  #settings: HttpSettings;

  /** Returns a server that does not listen yet. */
  static async open(options: HttpServerOptions): Promise<HttpServer> {
    return new HttpServer(options, await HttpListener.open(options));
  }

  private constructor(options: HttpServerOptions, listener: HttpListener) {
    this.#options = options;
    this.#listener = listener;
    this.#settings = options.settings;
    const settings = () => this.#settings;
    const refusals = new RefusalLog(options.log);
    const backlog = new Backlog(options.unread);
    const clients = new HttpClients(options, backlog);
    const exchanges = new OpenPosts();
    const isDraining = () => listener.isStopping;
    this.#refusals = refusals;
    this.#clients = clients;
    this.#exchanges = exchanges;
    this.#endpoint = new McpEndpoint({ settings, clients, exchanges, backlog, refusals, isDraining });
    this.#admission = new Admission({
      settings,
      listener,
      sessions: clients.sessions,
      refusals,
      profileOf: (request) => profileIn(pathOf(request), options.hasProfile),
      onKnown: (request, response, route) => backlog.attribute(request, response, route),
      onAdmitted: (request, response, route, profile) => this.#onAdmitted(request, response, route, profile),
    });
    this.#housekeeping = new Housekeeping(choresOf({ settings, clients, exchanges, endpoint: this.#endpoint }));
    this.#attach();
  }

  /** Adopts other settings. Everything of clients that are no longer admitted ends at once. */
  configure(settings: HttpSettings): void {
    this.#settings = settings;
    this.#admission.renewGuard();
    this.#clients.endStale(settings.auth);
  }

  /**
   * Shows this certificate on new connections. Meant for a server that began with one.
   * @throws when it cannot be used; the old one stays
   */
  setCertificate(certificate: Certificate): void {
    this.#listener.setCertificate(certificate);
  }

  get url(): string {
    return `${this.#listener.origin}${PATH}`;
  }

  /** @throws when the address cannot be listened on. */
  async listen(): Promise<void> {
    await this.#listener.listen((error) => this.#refusals.note(0, `a connection was lost: ${error.message}`));
    this.#admission.renewGuard();
    this.#housekeeping.start();
  }

  /**
   * Takes no more connections, and no more requests on those there are. Resolves when the last request is answered,
   * after `ms` milliseconds at the latest.
   */
  drain(ms: number): Promise<void> {
    void this.#listener.stop();
    return this.#exchanges.whenIdle(ms);
  }

  /** Takes no more requests, ends all sessions, closes all connections. */
  async close(): Promise<void> {
    this.#housekeeping.stop();
    void this.#listener.stop();
    this.#clients.endSessions();
    await this.#listener.close();
  }

  #attach(): void {
    const { server } = this.#listener;
    const clientErrors = new ClientErrors(this.#refusals);
    const onRequest = (request: IncomingMessage, response: ServerResponse) => {
      clientErrors.onRequest(request.socket, response);
      this.#onRequest(request, response);
    };
    server.on('request', onRequest);
    // No client is told to continue with a body before the guard has seen the headers.
    server.on('checkContinue', onRequest);
    server.on('clientError', (error, socket) => clientErrors.onError(error, socket as Socket));
    const connections = new ConnectionLimit(
      // Behind a proxy all come from its address.
      () => (this.#settings.behindProxy ? Number.POSITIVE_INFINITY : this.#settings.connectionsPerAddress),
      () => this.#refusals.note(0, 'too many connections of one address (limits.connectionsPerAddress)'),
    );
    server.on('connection', (socket) => connections.onConnection(socket));
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    if (response.shouldKeepAlive) response.setHeader('keep-alive', KEEP_ALIVE_HEADER);
    if (!this.#admission.passesGuard(request, response)) return;
    const metadata = request.method === 'GET' ? metadataAt(pathOf(request), this.#settings.auth) : undefined;
    if (metadata === undefined) this.#admission.admit(request, response);
    else answerJson(response, metadata);
  }

  /** The one way to all routes: none is reached without it. */
  #onAdmitted(
    request: IncomingMessage,
    response: ServerResponse,
    route: LeasedRoute,
    profile: string | undefined,
  ): void {
    if (profile !== undefined) this.#endpoint.serve(request, response, route);
    else if (request.method === 'GET' && pathOf(request) === HEALTH_PATH)
      answerJson(response, healthFor(route.principal, this.#options, this.#clients.sessions.size));
    else reject(request, response, unknownPath(PATH), this.#refusals);
  }
}

interface Tended {
  readonly settings: () => HttpSettings;
  readonly clients: HttpClients;
  readonly exchanges: OpenPosts;
  readonly endpoint: McpEndpoint;
}

function choresOf({ settings, clients, exchanges, endpoint }: Tended): Chores {
  return {
    tidy(now) {
      clients.endStale(settings().auth);
      endpoint.closeExpired(Date.now());
      clients.endIdle(now);
    },
    keepAlive(now) {
      clients.sessions.keepAlive();
      exchanges.keepAlive(now);
    },
  };
}

/** Returns the profile that a path is for; `undefined` if it is none of MCP. */
function profileIn(path: string, hasProfile: (name: string) => boolean): string | undefined {
  if (path === PATH) return DEFAULT_PROFILE;
  const name = PROFILE_PATH.exec(path)?.[1];
  return name !== undefined && hasProfile(name) ? name : undefined;
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
