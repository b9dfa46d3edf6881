import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { shownUrl } from '../../../core/shown-url.ts';
import type { RemoteEntry } from '../../../core/upstream-entry.ts';
import type { Authorization, RequestFailure } from '../transport.ts';
import { hasType, statusOf } from './response.ts';

/** Servers end connections on which nothing happens, many of them after five seconds: we are the first to do it. */
const IDLE_SOCKET_MS = 4_000;
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number | undefined> = new Set([301, 302, 307, 308]);

const REFUSALS: ReadonlySet<number | undefined> = new Set([401, 403]);

export type Headers = Readonly<Record<string, string>>;

/** Why no response came. */
export interface NetworkFault {
  /** Completes the sentence "<upstream>: …"; no header and no query of the url is in it. */
  readonly reason: string;
  /** No connection was made: nothing of the request has got there. */
  readonly isUnreachable: boolean;
  /** The server did not take the request from us: what is to be said of it. */
  readonly failure?: RequestFailure;
}

export interface ResponseHandler {
  onResponse(response: IncomingMessage): void;
  onFault(fault: NetworkFault): void;
}

/** What every POST says of itself. */
export const POST_HEADERS: Headers = {
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
};

export interface HttpMessage {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Headers;
  readonly body?: Buffer;
  /** It may be sent twice: that a connection which had been idle broke does not say that the server got nothing. */
  readonly isRepeatable?: boolean;
}

/** One url and the connections to it. */
export class HttpEndpoint {
  /** For people. */
  readonly shown: string;
  readonly #headers: Headers;
  readonly #agent: http.Agent;
  readonly #authorization: Authorization | undefined;
  /** Moves with redirects, within its origin. */
  #url: URL;
  #queuedBytes = 0;

  constructor({ url, headers }: Pick<RemoteEntry, 'url' | 'headers'>, authorization?: Authorization) {
    this.#authorization = authorization;
    this.shown = shownUrl(url);
    this.#url = new URL(url);
    this.#headers = { 'user-agent': 'viaduct', 'accept-encoding': 'identity', ...lowerCased(headers) };
    const { Agent } = this.#url.protocol === 'https:' ? https : http;
    this.#agent = new Agent({ keepAlive: true, timeout: IDLE_SOCKET_MS });
  }

  /** Bytes of bodies that are not written yet. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /** Sends a message. Exactly one of the handler's methods is called, none after `destroy`. */
  send(message: HttpMessage, handler: ResponseHandler): HttpCall {
    const call = new HttpCall(message, handler, {
      open: () => this.#open(message),
      authorization: this.#authorization,
      redirect: (location) => this.#redirect(location),
    });
    call.start();
    return call;
  }

  /** Sends a message of whose response nothing but the status matters. */
  tell(message: HttpMessage): Promise<{ readonly status: number } | NetworkFault> {
    return new Promise((resolve) => {
      this.send(message, {
        onResponse: (response) => {
          response.on('error', () => undefined);
          // A stream may never end; anything else is short, and its connection is used again.
          if (hasType(response, 'text/event-stream')) response.destroy();
          else response.resume();
          resolve({ status: statusOf(response) });
        },
        onFault: resolve,
      });
    });
  }

  /** Ends all connections. */
  destroy(): void {
    this.#agent.destroy();
  }

  #open({ method, headers, body }: HttpMessage): ClientRequest {
    const { request } = this.#url.protocol === 'https:' ? https : http;
    const length = body?.length ?? 0;
    const all = {
      ...this.#headers,
      ...this.#authorization?.headers(),
      ...headers,
      ...(body !== undefined && { 'content-length': String(length) }),
    };
    const opened = request(this.#url, { method, headers: all, agent: this.#agent });
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

  /** Takes a redirect over, or says why not. */
  #redirect(location: string | undefined): string | undefined {
    if (location === undefined || !URL.canParse(location, this.#url.href)) return 'it redirects to nowhere';
    const target = new URL(location, this.#url);
    if (target.origin !== this.#url.origin) {
      return `it redirects to another origin (${target.origin}), which is not followed: give that url in the config`;
    }
    this.#url = target;
    return undefined;
  }
}

const lowerCased = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

interface CallHost {
  open(): ClientRequest;
  redirect(location: string | undefined): string | undefined;
  readonly authorization: Authorization | undefined;
}

/** One message on its way to its response, redirects included. */
export class HttpCall {
  readonly #message: HttpMessage;
  readonly #handler: ResponseHandler;
  readonly #host: CallHost;
  #request: ClientRequest | undefined;
  #redirects = 0;
  #repeats = 0;
  #isRefused = false;
  #isOver = false;

  constructor(message: HttpMessage, handler: ResponseHandler, host: CallHost) {
    this.#message = message;
    this.#handler = handler;
    this.#host = host;
  }

  start(): void {
    const request = this.#host.open();
    this.#request = request;
    let isConnected = false;
    const onConnected = () => {
      isConnected = true;
    };
    request.once('socket', (socket) => {
      if (request.reusedSocket) onConnected();
      else socket.once('encrypted' in socket ? 'secureConnect' : 'connect', onConnected);
    });
    request.once('response', (response) => this.#onResponse(response));
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (this.#isOver || request !== this.#request) return;
      if (this.#mayRepeat(request, error)) this.start();
      else this.#fail({ reason: reasonOf(error, isConnected), isUnreachable: !isConnected });
    });
  }

  /** Nobody wants the response any more: what has come of it is cut off. */
  destroy(): void {
    this.#isOver = true;
    this.#request?.destroy();
  }

  #onResponse(response: IncomingMessage): void {
    if (this.#isOver) {
      response.destroy();
      return;
    }
    if (REFUSALS.has(response.statusCode) && this.#host.authorization !== undefined) {
      void this.#onRefused(response, this.#host.authorization);
      return;
    }
    if (!REDIRECTS.has(response.statusCode)) {
      this.#isOver = true;
      this.#handler.onResponse(response);
      return;
    }
    response.resume();
    const problem =
      this.#redirects++ < MAX_REDIRECTS ? this.#host.redirect(response.headers.location) : 'it redirects endlessly';
    if (problem === undefined) this.start();
    else this.#fail({ reason: problem, isUnreachable: true });
  }

  /** Nothing was done yet, so the request is sent once more where that promises anything. */
  async #onRefused(response: IncomingMessage, authorization: Authorization): Promise<void> {
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
    response.resume();
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
    this.#handler.onFault(fault);
  }
}

function reasonOf(error: NodeJS.ErrnoException, isConnected: boolean): string {
  const code = error.code ?? error.message;
  if (isConnected) return `the connection broke before the answer came (${code})`;
  return code === 'ECONNREFUSED' ? 'connection refused' : `it cannot be reached (${code})`;
}
