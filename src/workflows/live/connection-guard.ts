import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type HostPort, shownHostPort } from '../../core/addresses/host-port.ts';
import { repeatedHeader } from '../../core/addresses/repeated-header.ts';

export const HUB_PATH = '/ws';

/** The reason why a request is turned away. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface EntranceOptions {
  /** The address at which the hub listens. */
  readonly address: HostPort;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** The token that clients must show, if any. */
  readonly token?: string | undefined;
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];
const LOOPBACK_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/;
const BEARER = /^bearer +(\S+) *$/i;

/** Decides who may come in: a WebSocket client of this machine, or one that shows the token. */
export class ConnectionGuard {
  readonly #port: number;
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;
  /** SHA-256. */
  readonly #token: Buffer | undefined;

  constructor({ address, allowedHosts, allowedOrigins, token }: EntranceOptions) {
    this.#port = address.port;
    this.#hosts = new Set([
      ...LOOPBACK_NAMES.flatMap((name) => this.#atOurPort(name)),
      shownHostPort(address),
      ...allowedHosts.map((host) => host.toLowerCase()),
    ]);
    this.#origins = new Set(allowedOrigins);
    this.#token = token === undefined ? undefined : sha256(token);
  }

  /** Returns why a request that does not ask for a WebSocket is refused: nothing else is here. */
  refuse(request: IncomingMessage): Refusal {
    return this.#refuseStranger(request) ?? refusePath(request) ?? NO_UPGRADE;
  }

  /** Returns why a request to open a WebSocket is refused; `undefined` if it may be opened. */
  refuseUpgrade(request: IncomingMessage): Refusal | undefined {
    return (
      this.#refuseStranger(request) ?? refusePath(request) ?? refuseHandshake(request) ?? this.#refuseToken(request)
    );
  }

  /** Web pages: one that gets here by DNS rebinding has a Host that is not ours, any other an Origin that is not. */
  #refuseStranger(request: IncomingMessage): Refusal | undefined {
    const repeated = repeatedHeader(request);
    if (repeated !== undefined) return { status: 400, reason: `the header ${repeated} occurs more than once` };
    const { host, origin } = request.headers;
    if (host === undefined) return { status: 400, reason: 'a Host header is needed' };
    if (!this.#isOurHost(host.toLowerCase(), request)) {
      return {
        status: 403,
        reason: 'the Host header names neither this hub nor a host of workflows.live.allowedHosts',
      };
    }
    if (origin === undefined || LOOPBACK_ORIGIN.test(origin) || this.#origins.has(origin)) return undefined;
    return { status: 403, reason: 'the Origin is neither of this machine nor in workflows.live.allowedOrigins' };
  }

  /** An address that the client has used is not a name, so DNS cannot have led it here. */
  #isOurHost(host: string, { socket }: IncomingMessage): boolean {
    if (this.#hosts.has(host)) return true;
    const reached = socket.localAddress?.replace(/^::ffff:(?=[\d.]+$)/, '');
    return reached !== undefined && host === shownHostPort({ host: reached, port: this.#port });
  }

  #atOurPort(name: string): string[] {
    return this.#port === 80 ? [name, `${name}:80`] : [`${name}:${this.#port}`];
  }

  #refuseToken(request: IncomingMessage): Refusal | undefined {
    if (this.#token === undefined) return undefined;
    const shown = tokenIn(request);
    if (shown !== undefined && timingSafeEqual(sha256(shown), this.#token)) return undefined;
    const what =
      shown === undefined ? 'the token of workflows.live is needed' : 'this is not the token of workflows.live';
    const reason = `${what}: send it as "Authorization: Bearer TOKEN", or as ${HUB_PATH}?token=TOKEN`;
    return { status: 401, reason, headers: { 'www-authenticate': 'Bearer' } };
  }
}

const NO_UPGRADE: Refusal = {
  status: 426,
  reason: `only WebSocket connections are served at ${HUB_PATH}`,
  headers: { upgrade: 'websocket', connection: 'upgrade, close' },
};

function refusePath(request: IncomingMessage): Refusal | undefined {
  const path = request.url!.split('?', 1)[0];
  if (path !== HUB_PATH) return { status: 404, reason: `there is nothing here but the WebSocket at ${HUB_PATH}` };
  if (request.method === 'GET') return undefined;
  return { status: 405, reason: `a WebSocket at ${HUB_PATH} is opened with GET`, headers: { allow: 'GET' } };
}

/** Leaves to the package what it checks itself. Before version 13 the origin stood in another header. */
function refuseHandshake({ headers }: IncomingMessage): Refusal | undefined {
  if (headers.upgrade?.toLowerCase() !== 'websocket') return NO_UPGRADE;
  if (headers['sec-websocket-version'] === '13') return undefined;
  const reason = 'version 13 of WebSocket is needed';
  return {
    status: 426,
    reason,
    headers: { upgrade: 'websocket', connection: 'upgrade, close', 'sec-websocket-version': '13' },
  };
}

/** Browsers cannot set the header. */
function tokenIn({ url, headers }: IncomingMessage): string | undefined {
  if (headers.authorization !== undefined) return BEARER.exec(headers.authorization)?.[1] ?? '';
  const query = url!.split('?').slice(1).join('?');
  return new URLSearchParams(query).get('token') ?? undefined;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
