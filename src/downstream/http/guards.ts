import type { IncomingMessage } from 'node:http';

/** Why a request is turned away before MCP begins. */
export interface Refusal {
  readonly status: number;
  readonly reason: string;
}

export interface GuardOptions {
  /** The port we listen on: a Host header names it. */
  readonly port: number;
  readonly scheme: 'http' | 'https';
  /** Whether our certificate is for this name or address. */
  readonly isOwnName: (name: string) => boolean;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
}

/** Headers that decide something: where one occurs twice, proxies and we could read different ones. */
const SINGLE_HEADERS = new Set([
  'host',
  'origin',
  'authorization',
  'content-type',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'last-event-id',
]);

const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Keeps web pages out: a page that reaches a loopback address (by DNS rebinding, or directly) carries a Host or an
 * Origin that is not ours (2025-11-25, Transports, "Security Warning"). Asked on every route, before the body is read.
 */
export function createGuard(optionsNow: () => GuardOptions): (request: IncomingMessage) => Refusal | undefined {
  return (request) => {
    const options = optionsNow();
    const repeated = repeatedHeader(request);
    if (repeated !== undefined) return { status: 400, reason: `the header ${repeated} occurs more than once` };
    const { host, origin } = request.headers;
    if (host === undefined) return { status: 400, reason: 'a Host header is needed' };
    if (!isAllowedHost(host, options)) {
      return { status: 403, reason: 'the Host header names neither this gateway nor a host of server.allowedHosts' };
    }
    if (origin === undefined || isAllowedOrigin(origin, options)) return undefined;
    return { status: 403, reason: 'the Origin is not in server.allowedOrigins' };
  };
}

function repeatedHeader({ rawHeaders }: IncomingMessage): string | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!.toLowerCase();
    if (!SINGLE_HEADERS.has(name)) continue;
    if (seen.has(name)) return name;
    seen.add(name);
  }
  return undefined;
}

function isAllowedHost(host: string, { port, scheme, allowedHosts, isOwnName }: GuardOptions): boolean {
  const name = host.toLowerCase();
  if (allowedHosts.some((allowed) => allowed.toLowerCase() === name)) return true;
  const isUsual = port === (scheme === 'http' ? 80 : 443);
  if (LOOPBACK_NAMES.some((loopback) => name === `${loopback}:${port}` || (isUsual && name === loopback))) return true;
  const withoutPort = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{1,5})?$/.exec(name);
  const named = withoutPort?.[1] ?? withoutPort?.[2];
  return named !== undefined && named !== '' && isOwnName(named);
}

function isAllowedOrigin(origin: string, { port, scheme, allowedOrigins }: GuardOptions): boolean {
  if (allowedOrigins.includes(origin)) return true;
  return LOOPBACK_NAMES.some((loopback) => origin === `${scheme}://${loopback}:${port}`);
}
