import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLegacyRevision } from '../../era/legacy/legacy.ts';
import { MODERN_REVISION } from '../../era/modern/modern.ts';
import type { RefusalLog } from '../../telemetry/refusal-log.ts';
import type { LeasedRoute } from './guards/admission.ts';
import {
  DRAINING,
  LOST_EVENTS,
  MISSING_SESSION,
  NO_EVENTS,
  type Rejection,
  reject,
  TOO_MANY_STREAMS,
  UNKNOWN_SESSION,
  UNKNOWN_VERSION,
  wrongMethod,
} from './guards/reject.ts';
import { answerTypes } from './posts/accept.ts';
import { BodyReader } from './posts/body-reader.ts';
import type { OpenPosts } from './posts/open-posts.ts';
import { handlePost, type PostContext } from './posts/post.ts';
import type { HttpSettings } from './server/server-options.ts';
import type { ClientRoute } from './sessions/client-route.ts';
import type { HttpClients } from './sessions/http-clients.ts';
import type { HttpSession } from './sessions/http-session.ts';
import type { Backlog } from './streams/backlog.ts';
import { StreamLeases } from './streams/stream-leases.ts';

const METHODS = 'GET, POST, DELETE';

export interface EndpointOptions {
  /** Returns the settings as they are now. */
  readonly settings: () => HttpSettings;
  readonly clients: HttpClients;
  readonly exchanges: OpenPosts;
  readonly backlog: Backlog;
  readonly refusals: RefusalLog;
  /** Returns whether the server stops: no request begins any more. */
  readonly isDraining: () => boolean;
}

/** The MCP endpoint: POST, and for legacy clients GET and DELETE. */
export class McpEndpoint {
  readonly #options: EndpointOptions;
  readonly #posts: PostContext;
  readonly #leases = new StreamLeases();

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#posts = postContext(options);
  }

  /** Serves a request that may come in by this way. */
  serve(request: IncomingMessage, response: ServerResponse, route: LeasedRoute): void {
    if (request.method === 'POST') {
      const isListening = request.headers['mcp-method'] === 'subscriptions/listen';
      if (!isListening || this.#mayStayOpen(request, response, route))
        handlePost(request, response, this.#posts, route);
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

  /** Closes the streams whose token has expired. `now` is in milliseconds since the epoch. */
  closeExpired(now: number): void {
    this.#leases.closeExpired(now);
  }

  #mayStayOpen(request: IncomingMessage, response: ServerResponse, { principal, expiresAt }: LeasedRoute): boolean {
    const mayStay = this.#leases.hold(response, principal, expiresAt);
    if (!mayStay) this.#reject(request, response, TOO_MANY_STREAMS);
    return mayStay;
  }

  #onGet(request: IncomingMessage, response: ServerResponse, route: ClientRoute): void {
    if (!answerTypes(request).events) {
      this.#reject(request, response, NO_EVENTS);
      return;
    }
    if (this.#options.isDraining()) {
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
    this.#options.clients.sessions.end(session);
    response.writeHead(200).end();
  }

  /** Returns the session that a request names, if it was begun by this way in; else turns the request away. */
  #sessionOf(request: IncomingMessage, response: ServerResponse, route: ClientRoute): HttpSession | undefined {
    const id = request.headers['mcp-session-id'];
    if (typeof id !== 'string') {
      this.#reject(request, response, MISSING_SESSION);
      return undefined;
    }
    const session = this.#options.clients.sessions.find(id, route);
    if (session === undefined) this.#reject(request, response, UNKNOWN_SESSION);
    session?.touch();
    return session;
  }

  #reject(request: IncomingMessage, response: ServerResponse, rejection: Rejection): void {
    reject(request, response, rejection, this.#options.refusals);
  }
}

function postContext({ settings, clients, exchanges, backlog, refusals, isDraining }: EndpointOptions): PostContext {
  const { sessions, modern } = clients;
  return {
    bodies: new BodyReader(() => settings().maxBodyBytes),
    find: (id, route) => sessions.find(id, route),
    create: (route) => sessions.create(route),
    openBrief: (route) => {
      const { sessionless, sessionlessFolder } = settings();
      return sessionless ? () => sessions.openBrief(route, sessionlessFolder) : undefined;
    },
    isCurrent: ({ principal }) => settings().auth.isCurrent(principal.id),
    isDraining,
    onBegun: (exchange) => exchanges.onBegun(exchange),
    onSettled: (exchange) => exchanges.onSettled(exchange),
    modern: (route) => modern.of(route),
    backlog,
    refusals,
  };
}
