import type { ClientRequest } from 'node:http';
import { shownUrl } from '../../../core/addresses/shown-url.ts';
import type { RemoteEntry } from '../../../core/settings/upstream-entry.ts';
import { cutText } from '../../../core/text/clean-text.ts';
import { type NetworkFault, networkFault, viaProxy } from '../network/network-fault.ts';
import { refusalOfProxy } from '../network/proxy.ts';
import type { Authorization, TransportContext } from '../transport.ts';
import { type Connections, openConnections } from './connections.ts';
import { discard } from './discard.ts';
import { decoded, encodingOf } from './encodings.ts';
import { isPermanent, isRedirect, Redirects } from './redirects.ts';
import { type HttpResponse, hasType, statusOf } from './response.ts';

/** On a stream nothing may come for hours: what is between must not forget the connection, nor we a server that is gone. */
const KEEP_ALIVE_MS = 30_000;
/** A server that takes a notification does so at once; one that never responds would keep a connection for each. */
export const TELL_MS = 30_000;
const MAX_REDIRECTS = 5;
const ENDLESS = { problem: 'it redirects endlessly' } as const;

const REFUSALS: ReadonlySet<number | undefined> = new Set([401, 403]);

export type Headers = Readonly<Record<string, string>>;

export interface ResponseHandler {
  onResponse(response: HttpResponse): void;
  onFault(fault: NetworkFault): void;
}

/** The headers that every POST carries. */
export const POST_HEADERS: Headers = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

export interface HttpMessage {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Headers;
  readonly body?: Buffer;
  /** True if it may be sent twice: a broken idle connection does not mean that the server got nothing. */
  readonly isRepeatable?: boolean;
}

/**
 * Gets ready to connect to a url; nothing is sent yet.
 * @throws ImpossibleError when the entry, or a proxy in the environment, must be changed first
 */
export async function openEndpoint(
  entry: Pick<RemoteEntry, 'url' | 'headers' | 'tls'>,
  context: Pick<TransportContext, 'env' | 'log' | 'authorization'>,
): Promise<HttpEndpoint> {
  await context.authorization?.prepare();
  return new HttpEndpoint(entry, await openConnections(entry, context), context.authorization);
}

/** One url and the connections to it. */
export class HttpEndpoint {
  /** For people. */
  readonly shown: string;
  readonly #headers: Headers;
  readonly #connections: Connections;
  readonly #authorization: Authorization | undefined;
  readonly #url: URL;
  readonly #redirects: Redirects;
  #queuedBytes = 0;

  constructor(
    { url, headers }: Pick<RemoteEntry, 'url' | 'headers'>,
    connections: Connections,
    authorization?: Authorization,
  ) {
    this.#authorization = authorization;
    this.shown = shownUrl(url);
    this.#url = new URL(url);
    this.#redirects = new Redirects(this.#url);
    this.#headers = { 'user-agent': 'viaduct', 'accept-encoding': 'identity', ...lowerCased(headers) };
    this.#connections = connections;
  }

  /** The configured url. */
  get url(): URL {
    return this.#url;
  }

  /** Returns another endpoint within the same origin, reached by the same connections. */
  at(url: URL): HttpEndpoint {
    return new HttpEndpoint({ url: url.href, headers: this.#headers }, this.#connections, this.#authorization);
  }

  /** Bytes of bodies that are not written yet. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Sends a message. Exactly one of the handler's methods is called, none after `destroy`. */
  send(message: HttpMessage, handler: ResponseHandler): HttpCall {
    const call = new HttpCall(message, handler, {
      open: (url) => this.#open(message, url),
      authorization: this.#authorization,
      redirects: this.#redirects,
      proxy: this.#connections.proxy,
    });
    call.start();
    return call;
  }

  /** Sends a message of whose response nothing but the status matters. It is given up after `ms`. */
  tell(message: HttpMessage, ms = TELL_MS): Promise<{ readonly status: number } | NetworkFault> {
    return new Promise((resolve) => {
      const settle = (outcome: { readonly status: number } | NetworkFault) => {
        clearTimeout(timer);
        resolve(outcome);
      };
      const call = this.send(message, {
        onResponse: (response) => {
          // A stream may never end; anything else is short, and its connection is used again.
          if (hasType(response, 'text/event-stream')) response.on('error', () => undefined).destroy();
          else discard(response);
          settle({ status: statusOf(response) });
        },
        onFault: settle,
      });
      const timer = setTimeout(() => {
        call.destroy();
        resolve({ reason: `no response within ${ms / 1_000} s`, isUnreachable: false });
      }, ms).unref();
    });
  }

  /** Ends all connections. */
  destroy(): void {
    this.#connections.agent.destroy();
  }

  #open({ method, headers, body }: HttpMessage, url: URL): ClientRequest {
    const { request, agent } = this.#connections;
    const length = body?.length ?? 0;
    const all = {
      ...this.#headers,
      ...this.#authorization?.headers(),
      ...headers,
      ...(body !== undefined && { 'content-length': String(length) }),
    };
    const opened = request(url, { method, headers: all, agent });
    this.#queuedBytes += length;
    let isCounted = true;
    const discount = () => {
      if (isCounted) this.#queuedBytes -= length;
      isCounted = false;
    };
    opened.once('finish', discount).once('close', discount);
    opened.end(body);
    return opened;
  }
}

const lowerCased = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

interface CallHost {
  open(url: URL): ClientRequest;
  readonly redirects: Redirects;
  readonly proxy: string | undefined;
  readonly authorization: Authorization | undefined;
}

/** One message on its way to its response, redirects included. */
export class HttpCall {
  readonly #message: HttpMessage;
  readonly #handler: ResponseHandler;
  readonly #host: CallHost;
  #request: ClientRequest | undefined;
  #url: URL;
  #redirects = 0;
  /** True if a redirect on its way was temporary. */
  #isDetour = false;
  #repeats = 0;
  #isRefused = false;
  #isOver = false;

  constructor(message: HttpMessage, handler: ResponseHandler, host: CallHost) {
    this.#message = message;
    this.#handler = handler;
    this.#host = host;
    this.#url = host.redirects.urlFor(message.method);
  }

  /** The url to which the message was sent, after redirects. */
  get url(): URL {
    return this.#url;
  }

  start(): void {
    const request = this.#opened();
    if (request === undefined) return;
    this.#request = request;
    let isConnected = false;
    const onConnected = () => {
      isConnected = true;
    };
    request.once('socket', (socket) => {
      if (request.reusedSocket) {
        onConnected();
        return;
      }
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      const isTls = 'encrypted' in socket;
      // The agent of a proxy hands over what is connected already.
      if (isTls || socket.connecting) socket.once(isTls ? 'secureConnect' : 'connect', onConnected);
      else onConnected();
    });
    request.once('response', (response) => this.#onResponse(response));
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      if (!this.#isOver) this.#fail({ reason: 'it answers in another protocol (HTTP 101)', isUnreachable: false });
    });
    if (this.#host.proxy !== undefined) this.#heedProxy(request);
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (this.#isOver || request !== this.#request) return;
      if (this.#mayRepeat(request, error)) this.start();
      else {
        const { reason, isUnreachable } = networkFault(error, isConnected);
        this.#fail({ reason: isUnreachable ? viaProxy(reason, this.#host.proxy) : reason, isUnreachable });
      }
    });
  }

  /** `undefined` for what cannot be sent at all, such as a token that no header may have: reported like any other fault. */
  #opened(): ClientRequest | undefined {
    try {
      return this.#host.open(this.#url);
    } catch (error) {
      const reason = `it cannot be asked (${(error as Error).message})`;
      queueMicrotask(() => {
        if (!this.#isOver) this.#fail({ reason, isUnreachable: true });
      });
      return undefined;
    }
  }

  /** A proxy that opens no tunnel: what it says instead must not be taken for the server's. */
  #heedProxy(request: ClientRequest): void {
    request.once('proxyConnect', ({ statusCode = 200 }: { readonly statusCode?: number }) => {
      if (statusCode === 200 || this.#isOver) return;
      request.destroy();
      const reason = `it cannot be reached (${refusalOfProxy(statusCode)})`;
      this.#fail({ reason: viaProxy(reason, this.#host.proxy), isUnreachable: true });
    });
  }

  /** Cuts the response off, because nobody wants it any more. */
  destroy(): void {
    this.#isOver = true;
    this.#request?.destroy();
  }

  #onResponse(response: HttpResponse): void {
    if (this.#isOver) {
      response.destroy();
      return;
    }
    const { authorization } = this.#host;
    if (REFUSALS.has(response.statusCode) && authorization !== undefined) void this.#onRefused(response, authorization);
    else if (isRedirect(statusOf(response), this.#message.method)) this.#follow(response);
    else if (encodingOf(response) === undefined) this.#hand(response);
    else void this.#decode(response);
  }

  #hand(response: HttpResponse): void {
    this.#isOver = true;
    if (statusOf(response) >= 400) this.#host.redirects.forget(this.#message.method);
    this.#handler.onResponse(response);
  }

  /** Decompresses the response: it was not requested compressed, but a server or a proxy may compress it all the same. */
  async #decode(response: HttpResponse): Promise<void> {
    response.on('error', () => undefined); // the reader learns of the end from the close event
    const zlib = await import('node:zlib');
    if (this.#isOver) return;
    const readable = decoded(response, zlib);
    if (readable !== undefined) {
      this.#hand(readable);
      return;
    }
    response.destroy();
    const shown = JSON.stringify(cutText(encodingOf(response) ?? '', 40));
    this.#fail({ reason: `its answer is encoded as ${shown}, which was not asked for`, isUnreachable: false });
  }

  /** The server has done nothing but say where to go instead. */
  #follow(response: HttpResponse): void {
    discard(response);
    const { location } = response.headers;
    const { redirects } = this.#host;
    const target = this.#redirects++ < MAX_REDIRECTS ? redirects.targetOf(this.#url, location) : ENDLESS;
    if ('problem' in target) {
      const failure = { code: 'UPSTREAM_NOT_CONNECTED', reason: target.problem, effect: 'none' } as const;
      this.#fail({ reason: target.problem, isUnreachable: false, failure });
      return;
    }
    this.#isDetour ||= !isPermanent(statusOf(response));
    if (!this.#isDetour) redirects.remember(this.#message.method, target);
    this.#url = target;
    this.start();
  }

  /** Sends the request again if that may help, because nothing was done yet. */
  async #onRefused(response: HttpResponse, authorization: Authorization): Promise<void> {
    response.on('error', () => undefined);
    const sentWith = this.#request?.getHeader('authorization');
    const outcome = await authorization.onRefused({
      status: statusOf(response),
      challenge: response.headers['www-authenticate'],
      authorization: typeof sentWith === 'string' ? sentWith : undefined,
      isRepeated: this.#isRefused,
    });
    if (this.#isOver) {
      response.destroy();
      return;
    }
    if (outcome === undefined && !response.destroyed) {
      this.#isOver = true;
      this.#handler.onResponse(response);
      return;
    }
    discard(response);
    if (outcome === undefined) {
      this.#fail({ reason: 'the answer broke off', isUnreachable: false });
      return;
    }
    if (outcome !== 'retry') {
      this.#fail({ reason: outcome.reason, isUnreachable: false, failure: outcome });
      return;
    }
    this.#isRefused = true;
    this.start();
  }

  /** The server ended an idle connection in the moment in which we used it again. */
  #mayRepeat(request: ClientRequest, error: NodeJS.ErrnoException): boolean {
    const isStale = request.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
    return isStale && this.#message.isRepeatable === true && this.#repeats++ < MAX_REDIRECTS;
  }

  #fail(fault: NetworkFault): void {
    this.#isOver = true;
    this.#host.redirects.forget(this.#message.method);
    this.#handler.onFault(fault);
  }
}
