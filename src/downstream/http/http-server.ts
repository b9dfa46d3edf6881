import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLegacyRevision } from '../../era/legacy.ts';
import type { Session, SessionOptions } from '../../session/session.ts';
import type { Log } from '../../telemetry/log.ts';
import { createGuard, type Refusal } from './guards.ts';
import { HttpSession } from './http-session.ts';
import { handlePost } from './post.ts';
import type { PostExchange } from './post-exchange.ts';
import { MISSING_SESSION, reject, UNKNOWN_SESSION } from './reject.ts';

const PATH = '/mcp';
const HEALTH_PATH = '/health';
const METHODS = 'GET, POST, DELETE';
const HOUSEKEEPING_MS = 5_000;
/** A call or a stream that is silent for so long gets a sign of life. */
const KEEP_ALIVE_MS = 15_000;
const SESSION_IDLE_MS = 30 * 60_000;
const MAX_SESSIONS = 1_000;

export interface HttpServerOptions {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  readonly log: Log;
  readonly openSession: (options: SessionOptions) => Session;
}

/** Streamable HTTP for legacy clients (2025-11-25, Transports): one path, sessions, JSON or event-stream answers. */
export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #server: Server;
  readonly #sessions = new Map<string, HttpSession>();
  readonly #exchanges = new Set<PostExchange>();
  readonly #guard: (request: IncomingMessage) => Refusal | undefined;
  #housekeeping: NodeJS.Timeout | undefined;
  #keptAliveAt = performance.now();

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#guard = createGuard({ ...options, port: () => this.port });
    this.#server = createServer({ maxHeaderSize: 16 * 1024, connectionsCheckingInterval: 2_000 }, (request, response) =>
      this.#onRequest(request, response),
    );
    this.#server.headersTimeout = 10_000;
    this.#server.requestTimeout = 30_000;
    this.#server.keepAliveTimeout = 65_000;
    this.#server.maxConnections = 500;
  }

  /** The port that is listened on; 0 before `listen`. */
  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0;
  }

  get url(): string {
    const { host } = this.#options;
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.port}${PATH}`;
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
    this.#housekeeping = setInterval(() => this.#keepHouse(), HOUSEKEEPING_MS);
    this.#housekeeping.unref();
  }

  /** Takes no more requests, ends all sessions, closes all connections. */
  async close(): Promise<void> {
    clearInterval(this.#housekeeping);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const [id, session] of this.#sessions) this.#endSession(id, session);
    this.#server.closeIdleConnections();
    setTimeout(() => this.#server.closeAllConnections(), 500).unref();
    await closed;
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    const refusal = this.#guard(request);
    if (refusal !== undefined) {
      this.#options.log.warn({ event: 'refused', ...refusal }, 'a request was refused');
      reject(request, response, refusal.status, { code: -32600, message: `Forbidden: ${refusal.reason}` });
      return;
    }
    const { url = '' } = request;
    const query = url.indexOf('?');
    const path = query === -1 ? url : url.slice(0, query);
    if (path === PATH) this.#onMcp(request, response);
    else if (path === HEALTH_PATH && request.method === 'GET') this.#onHealth(response);
    else reject(request, response, 404, { code: -32600, message: `Not found: the MCP endpoint is ${PATH}` });
  }

  #onMcp(request: IncomingMessage, response: ServerResponse): void {
    const version = request.headers['mcp-protocol-version'];
    if (version !== undefined && !isLegacyRevision(version)) {
      reject(request, response, 400, { code: -32600, message: 'Bad Request: unsupported MCP-Protocol-Version' });
      return;
    }
    switch (request.method) {
      case 'POST':
        handlePost(request, response, {
          maxBodyBytes: this.#options.maxBodyBytes,
          find: (id) => this.#sessions.get(id),
          create: () => this.#createSession(),
          exchanges: this.#exchanges,
        });
        break;
      case 'GET':
        this.#onGet(request, response);
        break;
      case 'DELETE':
        this.#onDelete(request, response);
        break;
      default:
        response.setHeader('allow', METHODS);
        reject(request, response, 405, { code: -32600, message: 'Method not allowed' });
    }
  }

  #onGet(request: IncomingMessage, response: ServerResponse): void {
    if (!(request.headers.accept ?? '').includes('text/event-stream')) {
      reject(request, response, 406, {
        code: -32600,
        message: 'Not Acceptable: GET answers with text/event-stream',
      });
      return;
    }
    const session = this.#sessionOf(request, response);
    if (session === undefined) return;
    const lastEventId = request.headers['last-event-id'];
    if (typeof lastEventId !== 'string') session.listen(response);
    else if (!session.resume(response, lastEventId)) {
      reject(request, response, 400, {
        code: -32600,
        message: 'Bad Request: the events after this Last-Event-ID are not kept any more',
      });
    }
  }

  #onDelete(request: IncomingMessage, response: ServerResponse): void {
    const session = this.#sessionOf(request, response);
    if (session === undefined) return;
    this.#endSession(session.session.id, session);
    response.writeHead(200).end();
  }

  #onHealth(response: ServerResponse): void {
    const body = JSON.stringify({ ok: true, sessions: this.#sessions.size });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  }

  #sessionOf(request: IncomingMessage, response: ServerResponse): HttpSession | undefined {
    const id = request.headers['mcp-session-id'];
    if (typeof id !== 'string') {
      reject(request, response, 400, MISSING_SESSION);
      return undefined;
    }
    const session = this.#sessions.get(id);
    if (session === undefined) reject(request, response, 404, UNKNOWN_SESSION);
    session?.touch();
    return session;
  }

  #createSession(): { id: string; session: HttpSession } | undefined {
    if (this.#sessions.size >= MAX_SESSIONS) return undefined;
    const id = randomUUID();
    const session = new HttpSession((output) => this.#options.openSession({ id, transport: 'http', output }));
    this.#sessions.set(id, session);
    return { id, session };
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
