import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { RemoteEntry } from '../../core/settings/upstream-entry.ts';
import { proxyFor } from '../transports/network/proxy.ts';
import { readTlsOptions, readTrust, type TlsOptions } from '../transports/network/tls-options.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';
import { type Route, sendRequest } from './send-request.ts';

/** A url that an upstream named leads to where it must not lead. A `TypeError`, as `fetch` throws. */
export class BlockedUrlError extends TypeError {
  constructor(message: string) {
    super(message);
    this.name = 'BlockedUrlError';
  }
}

export interface GuardOptions {
  /** The upstream's entry; its `auth` may name an authorization server. */
  readonly entry: Pick<RemoteEntry, 'url' | 'auth' | 'tls'>;
  /** The gateway's own environment, which may name proxies. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
type Resolve = typeof lookUp;

/**
 * Returns a `fetch` for urls that an upstream names: only https to public addresses. What the config names itself may be
 * anywhere, and an upstream on this machine may name servers on this machine. Follows no redirects, and dials the very
 * address that it has looked at; where there is a proxy between, that one looks it up, so that only the name is looked at.
 */
export function guardedFetch(options: GuardOptions, resolve: Resolve = lookUp): Fetch {
  const rule = ruleOf(options.entry);
  return async (target, init = {}) => {
    const url = new URL(target);
    checkScheme(url, rule);
    checkLiteral(url, rule);
    return sendRequest(url, init, await routeTo(url, rule, options, resolve));
  };
}

/** @throws TypeError, like all that keeps a request from being sent */
async function routeTo(url: URL, rule: Rule, { entry, env }: GuardOptions, resolve: Resolve): Promise<Route> {
  try {
    const proxy = proxyFor(url, env);
    if (proxy !== undefined) checkName(url, rule);
    const tls = await tlsFor(url, rule, { entry, env });
    return proxy === undefined ? { lookup: guardedLookup(url, rule, resolve), tls } : { proxy, tls };
  } catch (cause) {
    throw cause instanceof TypeError ? cause : new TypeError((cause as Error).message, { cause });
  }
}

/**
 * Returns the TLS options for a url. All of the entry's TLS settings apply to its own server; for other servers, only
 * its trusted certificates apply.
 */
async function tlsFor(url: URL, { own }: Rule, { entry, env }: GuardOptions): Promise<TlsOptions> {
  if (url.protocol !== 'https:') return {};
  return url.origin === own ? readTlsOptions(entry) : readTrust(entry, env);
}

interface Rule {
  /** The upstream's origin. */
  readonly own: string;
  /** Origins that the config names. */
  readonly known: ReadonlySet<string>;
  readonly allowsLoopback: boolean;
}

function ruleOf({ url, auth }: GuardOptions['entry']): Rule {
  const named = [url, auth?.issuer].filter((text) => text !== undefined).map((text) => new URL(text));
  return {
    own: httpOrigin(new URL(url)),
    known: new Set(named.map(httpOrigin)),
    allowsLoopback: isLoopbackHost(new URL(url).hostname),
  };
}

/** A server that is reached by a WebSocket has its metadata on HTTP. */
const httpOrigin = ({ protocol, host }: URL): string => `${protocol.replace(/^ws/, 'http')}//${host}`;

/** Returns true if the host as written is `localhost` or an address of this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname) || isLoopbackAddress(bare(hostname));
}

/** IPv6 addresses are in brackets in urls. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

function checkScheme(url: URL, { known, allowsLoopback }: Rule): void {
  if (url.protocol === 'https:') return;
  const mayBeLocal = allowsLoopback || known.has(url.origin);
  if (url.protocol === 'http:' && mayBeLocal && isLoopbackHost(url.hostname)) return;
  throw new BlockedUrlError(`${url.origin} is not asked: only https is`);
}

/** A host that is an address is not looked up. */
function checkLiteral(url: URL, rule: Rule): void {
  const address = bare(url.hostname);
  if (isIP(address) !== 0 && !isAllowed(url, address, rule)) throw blocked(url);
}

/** A name that does not look like one of the internet is not given to a proxy, which may know it. */
function checkName(url: URL, { known }: Rule): void {
  const name = url.hostname.replace(/\.$/, '');
  const isPrivate = !name.includes('.') || PRIVATE_DOMAINS.test(name);
  if (isIP(bare(name)) === 0 && isPrivate && !known.has(url.origin)) throw blocked(url);
}

/** Reserved (RFC 6761, 6762, 8375), or in use in many a network (RFC 6762, appendix G; ICANN for `internal`). */
const PRIVATE_DOMAINS = /\.(local|localhost|home\.arpa|intranet|internal|private|corp|home|lan)$/;

function isAllowed(url: URL, address: string, { known, allowsLoopback }: Rule): boolean {
  return known.has(url.origin) || isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address));
}

const blocked = (url: URL): BlockedUrlError =>
  new BlockedUrlError(
    `${url.origin} is not contacted: it is not a public address. If you trust it, name it in the config as auth.issuer`,
  );

function guardedLookup(url: URL, rule: Rule, resolve: Resolve): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const allowed = (addresses ?? []).filter(({ address }) => isAllowed(url, address, rule));
      const [first] = allowed;
      if (error !== null) done(error, '');
      else if (first === undefined) done(blocked(url), '');
      else if (options.all === true) done(null, allowed);
      else done(null, first.address, first.family);
    });
  };
}
