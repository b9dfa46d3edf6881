import type { IncomingMessage } from 'node:http';

/** Why a request is turned away before MCP begins. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

export interface GuardOptions {
  /** The port we listen on: a Host header names it. */
  readonly port: () => number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Keeps web pages out: a page that reaches a loopback address (by DNS rebinding, or directly) carries a Host or an
 * Origin that is not ours (2025-11-25, Transports, "Security Warning"). Asked on every route, before the body is read.
 */
export function createGuard(options: GuardOptions): (request: IncomingMessage) => Refusal | undefined {
  return (request) => {
    if (count(request, 'host') !== 1) return { status: 400, reason: 'exactly one Host header is needed' };
    if (!isAllowedHost(request.headers.host!, options)) {
      return { status: 403, reason: 'the Host header names neither this gateway nor a host of server.allowedHosts' };
    }
    const origin = request.headers.origin;
    if (origin === undefined) return undefined;
    if (count(request, 'origin') === 1 && isAllowedOrigin(origin, options)) return undefined;
    return { status: 403, reason: 'the Origin is not in server.allowedOrigins' };
  };
}

function count(request: IncomingMessage, name: string): number {
  let found = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]!.toLowerCase() === name) found++;
  }
  return found;
}

function isAllowedHost(host: string, { port, allowedHosts }: GuardOptions): boolean {
  const name = host.toLowerCase();
  if (allowedHosts.some((allowed) => allowed.toLowerCase() === name)) return true;
  return LOOPBACK_NAMES.some((loopback) => name === `${loopback}:${port()}` || (port() === 80 && name === loopback));
}

function isAllowedOrigin(origin: string, { port, allowedOrigins }: GuardOptions): boolean {
  if (allowedOrigins.includes(origin)) return true;
  return LOOPBACK_NAMES.some((loopback) => origin === `http://${loopback}:${port()}`);
}
