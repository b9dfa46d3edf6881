import { lookup as lookUp } from 'node:dns';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

const LIMIT_MS = 20_000;
/** Metadata and tokens are small. */
const MAX_BYTES = 1024 * 1024;
/** What is said of an error ends up in a message. */
const MAX_ERROR_BYTES = 2_048;
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** A url that an upstream named leads to where it must not lead. A `TypeError`, as `fetch` throws. */
export class BlockedUrlError extends TypeError {
  constructor(message: string) {
    super(message);
    this.name = 'BlockedUrlError';
  }
}

export interface GuardOptions {
  /** Of the upstream. */
  readonly url: string;
  /** An authorization server that the config names. */
  readonly issuer?: string | undefined;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;
type Resolve = typeof lookUp;

/**
 * A `fetch` for urls that an upstream names: only https to public addresses. What the config names itself may be
 * anywhere, and an upstream on this machine may name servers on this machine. Follows no redirects, and dials the very
 * address that it has looked at.
 */
export function guardedFetch(options: GuardOptions, resolve: Resolve = lookUp): Fetch {
  const rule = ruleOf(options);
  return async (target, init = {}) => {
    const url = new URL(target);
    checkScheme(url, rule);
    checkLiteral(url, rule);
    return send(url, init, guardedLookup(url, rule, resolve));
  };
}

interface Rule {
  /** Origins that the config names. */
  readonly known: ReadonlySet<string>;
  readonly allowsLoopback: boolean;
}

function ruleOf({ url, issuer }: GuardOptions): Rule {
  const named = [url, issuer].filter((text) => text !== undefined).map((text) => new URL(text));
  return { known: new Set(named.map(httpOrigin)), allowsLoopback: named.some((one) => isLoopbackHost(one.hostname)) };
}

/** A server that is reached by a WebSocket has its metadata on HTTP. */
const httpOrigin = ({ protocol, host }: URL): string => `${protocol.replace(/^ws/, 'http')}//${host}`;

/** By what is written: `localhost` and addresses of this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return /(^|\.)localhost$/.test(hostname) || isLoopbackAddress(bare(hostname));
}

/** IPv6 addresses stand in brackets in urls. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1');

function checkScheme(url: URL, { allowsLoopback }: Rule): void {
  if (url.protocol === 'https:') return;
  if (url.protocol === 'http:' && allowsLoopback && isLoopbackHost(url.hostname)) return;
  throw new BlockedUrlError(`${url.origin} is not asked: only https is`);
}

/** A host that is an address is not looked up. */
function checkLiteral(url: URL, rule: Rule): void {
  const address = bare(url.hostname);
  if (isIP(address) !== 0 && !isAllowed(url, address, rule)) throw blocked(url);
}

function isAllowed(url: URL, address: string, { known, allowsLoopback }: Rule): boolean {
  return known.has(url.origin) || isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address));
}

const blocked = (url: URL): BlockedUrlError =>
  new BlockedUrlError(
    `${url.origin} is not asked: it is no public address. If you trust it, name it in the config as auth.issuer`,
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

function send(url: URL, init: RequestInit, lookup: LookupFunction): Promise<Response> {
  const { request } = url.protocol === 'https:' ? https : http;
  const headers = Object.fromEntries(new Headers(init.headers));
  const body = bodyOf(init);
  const signal = AbortSignal.any([AbortSignal.timeout(LIMIT_MS), ...(init.signal ? [init.signal] : [])]);
  return new Promise((resolve, reject) => {
    // A connection that others opened may lead to an address that was not looked at.
    const sent = request(url, {
      agent: false,
      method: init.method ?? 'GET',
      headers: { 'user-agent': 'viaduct', 'accept-encoding': 'identity', ...headers },
      lookup,
      signal,
    });
    const fail = (cause: Error) => reject(cause instanceof BlockedUrlError ? cause : unreachable(url, cause));
    sent.once('response', (response) => readResponse(response).then(resolve, fail));
    sent.once('error', fail);
    sent.end(body);
  });
}

/** Texts and forms are all that is ever sent. */
function bodyOf({ body }: RequestInit): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new TypeError('such a body is not sent');
}

const unreachable = (url: URL, cause: Error & { code?: string }): TypeError =>
  new TypeError(`${url.origin} cannot be reached (${cause.code ?? cause.message})`, { cause });

async function readResponse(response: IncomingMessage): Promise<Response> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > MAX_BYTES) throw new Error('the answer is too large');
    pieces.push(piece);
  }
  const status = response.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headersDistinct))
    for (const each of value ?? []) headers.append(name, each);
  const body = Buffer.concat(pieces);
  const shown = status < 400 ? body : body.subarray(0, MAX_ERROR_BYTES);
  return new Response(NO_BODY.has(status) ? null : shown, { status, headers });
}
