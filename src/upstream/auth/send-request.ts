import http, { type Agent, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { cutBytes } from '../../core/text/clean-text.ts';
import { orAfter } from '../../core/timing/or-after.ts';
import { PieceList } from '../../wire/output/piece-list.ts';
import { tlsFault } from '../transports/network/network-fault.ts';
import { onTunnelRefused } from '../transports/network/proxy.ts';
import type { TlsOptions } from '../transports/network/tls-options.ts';

const LIMIT_MS = 20_000;
/** Metadata and tokens are small. */
const MAX_BYTES = 1024 * 1024;
/** The most bytes that are read of an error response; its text ends up in a message. */
const MAX_ERROR_BYTES = 2_048;
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The way to a server: directly to an address, or through a proxy, which looks up the name itself. */
export type Route = { readonly tls: TlsOptions } & (
  | { readonly lookup: LookupFunction; readonly proxy?: undefined }
  | { readonly proxy: URL }
);

/**
 * One request on a connection of its own, and its whole answer; redirects are answers.
 * @throws TypeError when the server cannot be reached, or its answer is cut off or too large
 */
export async function sendRequest(url: URL, init: RequestInit, route: Route): Promise<Response> {
  const { request } = url.protocol === 'https:' ? https : http;
  const headers = Object.fromEntries(new Headers(init.headers));
  const body = bodyOf(init);
  const signal = init.signal ? orAfter(init.signal, LIMIT_MS) : AbortSignal.timeout(LIMIT_MS);
  const agent = route.proxy === undefined ? false : await tunnel(route.proxy);
  return new Promise((resolve, reject) => {
    // A connection that others opened may lead to an address that was not looked at.
    const sent = request(url, {
      agent,
      method: init.method ?? 'GET',
      headers: { 'user-agent': 'viaduct', 'accept-encoding': 'identity', ...headers },
      signal,
      ...route.tls,
      ...(route.proxy === undefined && { lookup: route.lookup }),
    });
    const fail = (cause: Error) => {
      if (init.signal?.aborted === true) reject(init.signal.reason as Error);
      else reject(cause instanceof TypeError ? cause : unreachable(url, wordsOf(cause), route, cause));
    };
    onTunnelRefused(sent, (fault) => {
      sent.destroy();
      reject(unreachable(url, fault, route));
    });
    sent.once('response', (response) => readResponse(response).then(resolve, fail));
    sent.on('error', fail);
    sent.end(body);
  });
}

async function tunnel(proxy: URL): Promise<Agent> {
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  return new HttpsProxyAgent(proxy);
}

/** Texts and forms are all that is ever sent. */
function bodyOf({ body }: RequestInit): string | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof URLSearchParams) return body.toString();
  throw new TypeError('such a body is not sent');
}

function unreachable(url: URL, why: string, { proxy }: Route, cause?: Error): TypeError {
  const way = proxy === undefined ? '' : `; by way of the proxy ${proxy.origin}`;
  return new TypeError(`${url.origin} cannot be reached (${why})${way}`, { cause });
}

function wordsOf(cause: NodeJS.ErrnoException): string {
  if (cause.name === 'AbortError') return `no answer within ${LIMIT_MS / 1_000} s`;
  return tlsFault(cause) ?? cause.code ?? cause.message;
}

async function readResponse(response: IncomingMessage): Promise<Response> {
  const pieces = new PieceList();
  for await (const piece of response as AsyncIterable<Buffer>) {
    pieces.add(piece);
    if (pieces.length > MAX_BYTES) throw new Error('the answer is too large');
  }
  const status = response.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headersDistinct))
    for (const each of value ?? []) headers.append(name, each);
  const body = pieces.joined();
  const shown = status < 400 ? body : cutBytes(body, MAX_ERROR_BYTES);
  return new Response(NO_BODY.has(status) ? null : (shown as Uint8Array<ArrayBuffer>), { status, headers });
}
