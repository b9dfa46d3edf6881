import type { IncomingMessage } from 'node:http';
import { repeatedHeader } from '../../../core/addresses/repeated-header.ts';

/** The reason why a request is refused before MCP begins. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

export interface GuardOptions {
  /** The port we listen on: a Host header names it. */
  readonly port: number;
  readonly scheme: 'http' | 'https';
  /** Returns true if our certificate is for this name or address. */
  readonly isOwnName: (name: string) => boolean;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/** Returns why a request is refused; `undefined` if it may continue. */
export type Guard = (request: IncomingMessage) => Refusal | undefined;

/**
 * Keeps web pages out: a page that reaches a loopback address (by DNS rebinding, or directly) carries a Host or an
 * Origin that is not ours (2025-11-25, Transports, "Security Warning"). Asked on every route, before the body is read.
 */
export function createGuard(options: GuardOptions): Guard {
  const hosts = knownHosts(options);
  const origins = knownOrigins(options);
  const isAllowedHost = (host: string) => hosts.has(host.toLowerCase()) || isOwnHost(host.toLowerCase(), options);
  return (request) => {
    const repeated = repeatedHeader(request);
    if (repeated !== undefined) return { status: 400, reason: `the header ${repeated} occurs more than once` };
    const { host, origin } = request.headers;
    if (host === undefined) return { status: 400, reason: 'a Host header is needed' };
    if (!isAllowedHost(host)) {
      return { status: 403, reason: 'the Host header names neither this gateway nor a host of server.allowedHosts' };
    }
    if (origin === undefined || origins.has(origin)) return undefined;
    return { status: 403, reason: 'the Origin is not in server.allowedOrigins' };
  };
}

function knownHosts({ port, scheme, allowedHosts }: GuardOptions): ReadonlySet<string> {
  const isUsual = port === (scheme === 'http' ? 80 : 443);
  return new Set([
    ...allowedHosts.map((host) => host.toLowerCase()),
    ...LOOPBACK_NAMES.map((name) => `${name}:${port}`),
    ...(isUsual ? LOOPBACK_NAMES : []),
  ]);
}

/** A name or an address of our certificate, with any port: a proxy, or the system, may have led it here. */
function isOwnHost(host: string, { isOwnName }: GuardOptions): boolean {
  const withoutPort = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(host);
  const name = withoutPort?.[1] ?? withoutPort?.[2];
  return name !== undefined && name !== '' && isOwnName(name);
}

function knownOrigins({ port, scheme, allowedOrigins }: GuardOptions): ReadonlySet<string> {
  return new Set([...allowedOrigins, ...LOOPBACK_NAMES.map((name) => `${scheme}://${name}:${port}`)]);
}
