import type { ClientRequest } from 'node:http';
import { cutText } from '../../../../core/text/clean-text.ts';
import { type NetworkFault, networkFault, viaProxy } from '../../network/network-fault.ts';
import { onTunnelRefused } from '../../network/proxy.ts';
import type { Authorization } from '../../transport.ts';
import { discard } from '../discard.ts';
import type { HttpMessage } from '../http-message.ts';
import { type HttpResponse, statusOf } from '../response.ts';
import { wasStale, watchConnection } from './connection-watch.ts';
import { decoded, encodingOf } from './encodings.ts';
import { MessageRoute } from './message-route.ts';
import { isRedirect, type Redirects } from './redirects.ts';
import type { RequestOpener } from './request-opener.ts';

/** The number of times that a message is sent again because its idle connection had ended. */
const MAX_REPEATS = 5;
const REFUSALS: ReadonlySet<number | undefined> = new Set([401, 403]);

export interface ResponseHandler {
  onResponse(response: HttpResponse): void;
  onFault(fault: NetworkFault): void;
}

/** The parts that all calls to one url share. */
export interface HttpCallParts {
  readonly opener: RequestOpener;
  readonly redirects: Redirects;
  /** The proxy between, as people may see it. */
  readonly proxy: string | undefined;
  readonly authorization: Authorization | undefined;
}

/** One message on its way to its response: redirects, repeats and a new token included. */
export class HttpCall {
  readonly #message: HttpMessage;
  readonly #handler: ResponseHandler;
  readonly #parts: HttpCallParts;
  readonly #route: MessageRoute;
  #request: ClientRequest | undefined;
  #repeats = 0;
  #isRefused = false;
  #isOver = false;

  constructor(message: HttpMessage, handler: ResponseHandler, parts: HttpCallParts) {
    this.#message = message;
    this.#handler = handler;
    this.#parts = parts;
    this.#route = new MessageRoute(parts.redirects, message.method);
  }

  /** The url to which the message was sent, after redirects. */
  get url(): URL {
    return this.#route.url;
  }

  start(): void {
    const request = this.#opened();
    if (request === undefined) return;
    this.#request = request;
    const connection = watchConnection(request);
    const { proxy } = this.#parts;
    request.once('response', (response) => this.#onResponse(response));
    request.once('upgrade', (_response, socket) => {
      socket.destroy();
      if (!this.#isOver) this.#fail({ reason: 'it answers in another protocol (HTTP 101)', isUnreachable: false });
    });
    if (proxy !== undefined) {
      onTunnelRefused(request, (fault) => {
        if (this.#isOver) return;
        request.destroy();
        this.#fail({ reason: viaProxy(`it cannot be reached (${fault})`, proxy), isUnreachable: true });
      });
    }
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (this.#isOver || request !== this.#request) return;
      if (this.#mayRepeat(request, error)) this.start();
      else {
        const { reason, isUnreachable } = networkFault(error, connection.isMade);
        this.#fail({ reason: isUnreachable ? viaProxy(reason, proxy) : reason, isUnreachable });
      }
    });
  }

  /** `undefined` for what cannot be sent at all, such as a token that no header may have: reported like any other fault. */
  #opened(): ClientRequest | undefined {
    try {
      return this.#parts.opener.open(this.#message, this.url);
    } catch (error) {
      const reason = `it cannot be asked (${(error as Error).message})`;
      queueMicrotask(() => {
        if (!this.#isOver) this.#fail({ reason, isUnreachable: true });
      });
      return undefined;
    }
  }

  /** Aborts the response, which is no longer wanted. */
  destroy(): void {
    this.#isOver = true;
    this.#request?.destroy();
  }

  #onResponse(response: HttpResponse): void {
    if (this.#isOver) {
      response.destroy();
      return;
    }
    const { authorization } = this.#parts;
    if (REFUSALS.has(response.statusCode) && authorization !== undefined) void this.#onRefused(response, authorization);
    else if (isRedirect(statusOf(response), this.#message.method)) this.#follow(response);
    else if (encodingOf(response) === undefined) this.#hand(response);
    else void this.#decode(response);
  }

  #hand(response: HttpResponse): void {
    this.#isOver = true;
    if (statusOf(response) >= 400) this.#route.forget();
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
    const problem = this.#route.follow(statusOf(response), response.headers.location);
    if (problem === undefined) this.start();
    else {
      const failure = { code: 'UPSTREAM_NOT_CONNECTED', reason: problem, effect: 'none' } as const;
      this.#fail({ reason: problem, isUnreachable: false, failure });
    }
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

  #mayRepeat(request: ClientRequest, error: NodeJS.ErrnoException): boolean {
    return wasStale(request, error) && this.#message.isRepeatable === true && this.#repeats++ < MAX_REPEATS;
  }

  #fail(fault: NetworkFault): void {
    this.#isOver = true;
    this.#route.forget();
    this.#handler.onFault(fault);
  }
}
