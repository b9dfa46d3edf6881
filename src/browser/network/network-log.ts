import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { browserFailed } from '../failure.ts';
import type { TargetFollower } from '../page/targets.ts';
import {
  addResponse,
  fail,
  finish,
  hasFailed,
  type NetworkEntry,
  type NetworkRequest,
  newEntry,
} from './network-entry.ts';
import { type ResponseBody, responseBody } from './response-body.ts';

export interface RequestFilter {
  /** A part of the url. */
  readonly filter?: string | undefined;
  /** Only requests that failed, or that a server answered with an error. */
  readonly failed?: boolean | undefined;
  /** As `NetworkRequest.type`, in upper or lower case. */
  readonly type?: string | undefined;
  /** The newest ones. */
  readonly limit: number;
}

const MAX_REQUESTS = 500;
/** Limits for the bodies that the browser keeps, for each target. A body comes in one message, so it must not be large. */
const BUFFERS = { maxTotalBufferSize: 32 * 1_048_576, maxResourceBufferSize: 8 * 1_048_576 };

/** Keeps the newest requests of a page, its frames and its workers. */
export class NetworkLog implements TargetFollower {
  /** By our ids, oldest first. */
  readonly #entries = new Map<string, NetworkEntry>();
  /** By the ids of the browser, which are unique in all targets. */
  readonly #byRequest = new Map<string, NetworkEntry>();
  #last = 0;

  async follow(session: CdpSession): Promise<void> {
    this.#followRequests(session);
    this.#followWebSockets(session);
    await session.send('Network.enable', BUFFERS);
  }

  /** Returns the newest requests that match, oldest first. */
  list({ filter = '', failed = false, type = '', limit }: RequestFilter): readonly NetworkRequest[] {
    const matching = [...this.#entries.values()]
      .map(({ shown }) => shown)
      .filter((request) => request.url.includes(filter))
      .filter((request) => !failed || hasFailed(request))
      .filter((request) => type === '' || request.type.toLowerCase() === type.toLowerCase());
    return matching.slice(Math.max(0, matching.length - limit)).map((request) => ({ ...request }));
  }

  /**
   * Fetches the body of a response.
   * @param id of a request, such as n7
   * @throws GatewayError if there is none, or the browser no longer has it; the reason of `signal`
   */
  async body(id: string, maxBytes: number, signal: AbortSignal): Promise<ResponseBody> {
    const entry = this.#entries.get(id);
    if (entry === undefined)
      throw browserFailed(
        `There is no request ${JSON.stringify(id)}: webview_network lists the newest ${MAX_REQUESTS}`,
      );
    requireBody(entry);
    return responseBody(entry, maxBytes, signal);
  }

  /** Forgets all requests; what comes of those that are under way is left out, too. */
  clear(): void {
    this.#entries.clear();
    this.#byRequest.clear();
  }

  #followRequests(session: CdpSession): void {
    session.on('Network.requestWillBeSent', (event) => this.#onRequest(session, event));
    session.on('Network.requestServedFromCache', ({ requestId }) =>
      this.#change(requestId, ({ shown }) => {
        shown.fromCache = true;
      }),
    );
    session.on('Network.responseReceived', ({ requestId, response, type }) =>
      this.#change(requestId, (entry) => {
        entry.shown.type = type;
        addResponse(entry, response);
      }),
    );
    session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) =>
      this.#change(requestId, (entry) => finish(entry, timestamp, encodedDataLength)),
    );
    session.on('Network.loadingFailed', (event) =>
      this.#change(event.requestId, (entry) => {
        finish(entry, event.timestamp);
        fail(entry, event);
      }),
    );
  }

  #followWebSockets(session: CdpSession): void {
    session.on('Network.webSocketCreated', ({ requestId, url }) => {
      // Its time comes with the handshake.
      this.#add(session, { requestId, url, method: 'GET', type: 'WebSocket', timestamp: Number.NaN });
    });
    session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response }) =>
      this.#change(requestId, ({ shown }) => {
        shown.status = response.status;
      }),
    );
    session.on('Network.webSocketFrameError', ({ requestId, errorMessage }) =>
      this.#change(requestId, (entry) => fail(entry, { errorText: errorMessage })),
    );
  }

  #onRequest(session: CdpSession, event: Protocol.Network.RequestWillBeSentEvent): void {
    const { requestId, request, type = 'Other', timestamp, redirectResponse } = event;
    const before = redirectResponse === undefined ? undefined : this.#byRequest.get(requestId);
    const entry = this.#add(session, { requestId, url: request.url, method: request.method, type, timestamp });
    if (before === undefined || redirectResponse === undefined) return;
    addResponse(before, redirectResponse);
    finish(before, timestamp, redirectResponse.encodedDataLength);
    before.redirectedTo = entry.shown.id;
    entry.shown.redirectedFrom = before.shown.id;
  }

  #add(
    session: CdpSession,
    start: { requestId: string; url: string; method: string; type: string; timestamp: number },
  ): NetworkEntry {
    const entry = newEntry(session, { ...start, id: `n${++this.#last}` });
    this.#entries.set(entry.shown.id, entry);
    this.#byRequest.set(entry.requestId, entry);
    if (this.#entries.size > MAX_REQUESTS) this.#forgetOldest();
    return entry;
  }

  #forgetOldest(): void {
    const [oldest] = this.#entries.values();
    if (oldest === undefined) return;
    this.#entries.delete(oldest.shown.id);
    if (this.#byRequest.get(oldest.requestId) === oldest) this.#byRequest.delete(oldest.requestId);
  }

  #change(requestId: string, change: (entry: NetworkEntry) => void): void {
    const entry = this.#byRequest.get(requestId);
    if (entry !== undefined) change(entry);
  }
}

/** @throws GatewayError if a request has no body that could be fetched */
function requireBody({ shown, redirectedTo, isFinished }: NetworkEntry): void {
  const { id, failure, type } = shown;
  if (redirectedTo !== undefined) throw browserFailed(`${id} was redirected and has no body: ask for ${redirectedTo}`);
  if (failure !== undefined) throw browserFailed(`${id} has no body: it failed with ${failure.errorText}`);
  if (type === 'WebSocket') throw browserFailed(`${id} is a WebSocket, which has no body`);
  if (!isFinished) throw browserFailed(`${id} is not complete yet: ask again later`);
}
