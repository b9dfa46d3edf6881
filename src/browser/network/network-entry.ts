import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import type { CdpSession } from '../cdp/cdp-session.ts';
import { boundedText } from '../page/page-text.ts';
import { tidy } from '../text/tidy.ts';

/** The reason why a request got no response. */
export interface RequestFailure {
  /** The error as Chrome names it, such as net::ERR_CONNECTION_REFUSED. */
  readonly errorText: string;
  readonly blockedReason?: string;
  readonly corsError?: string;
}

/** A request of a page, one of its frames, or one of its workers. */
export interface NetworkRequest {
  /** n1, n2, … in the order in which they were made. */
  readonly id: string;
  readonly method: string;
  readonly url: string;
  /** The type as the DevTools protocol names it: Document, Script, Fetch, WebSocket, … */
  readonly type: string;
  readonly status?: number;
  readonly statusText?: string;
  readonly mimeType?: string;
  /** Bytes that came over the network, headers included. */
  readonly encodedBytes?: number;
  /** The time until the last byte, in milliseconds. */
  readonly durationMs?: number;
  readonly failure?: RequestFailure;
  readonly fromCache?: true;
  /** The id of the request that was redirected to this one. */
  readonly redirectedFrom?: string;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A request with what is needed to follow it. */
export interface NetworkEntry {
  readonly shown: Mutable<NetworkRequest>;
  readonly session: CdpSession;
  readonly requestId: string;
  /** In seconds, of the browser's clock. */
  readonly startedAt: number;
  charset: string;
  /** Set if the answer was a redirect: the id of the request that followed. */
  redirectedTo?: string;
  isFinished: boolean;
}

const MAX_URL = 500;
const MAX_WORDS = 100;

/** The beginning is copied first: an address with data in it can be as long as the data. */
const beginning = (text: string, max: number) => boundedText(tidy(boundedText(text, 4 * max)), max);
const shortly = (text: string) => beginning(text, MAX_WORDS);

/** Makes the entry of a request that begins. */
export function newEntry(
  session: CdpSession,
  start: { requestId: string; id: string; method: string; url: string; type: string; timestamp: number },
): NetworkEntry {
  const { requestId, id, method, url, type, timestamp } = start;
  const shown = { id, method: shortly(method), url: beginning(url, MAX_URL), type };
  return { shown, session, requestId, startedAt: timestamp, charset: '', isFinished: false };
}

/** Notes the head of a response. */
export function addResponse(entry: NetworkEntry, response: Protocol.Network.Response): void {
  const { shown } = entry;
  entry.charset = shortly(response.charset ?? '');
  shown.status = response.status;
  if (response.statusText !== '') shown.statusText = shortly(response.statusText);
  if (response.mimeType !== '') shown.mimeType = shortly(response.mimeType);
  if (response.fromDiskCache || response.fromServiceWorker || response.fromPrefetchCache) shown.fromCache = true;
}

/** Notes that the last byte has come. */
export function finish(entry: NetworkEntry, timestamp: number, encodedBytes?: number): void {
  entry.isFinished = true;
  entry.shown.durationMs = Math.max(0, Math.round((timestamp - entry.startedAt) * 1000));
  if (encodedBytes !== undefined) entry.shown.encodedBytes = encodedBytes;
}

/** Notes that there is no response, or that it has broken off. */
export function fail(entry: NetworkEntry, { errorText, blockedReason, corsErrorStatus }: Failing): void {
  entry.shown.failure = {
    errorText: shortly(errorText),
    ...(blockedReason === undefined ? {} : { blockedReason }),
    ...(corsErrorStatus === undefined ? {} : { corsError: corsErrorStatus.corsError }),
  };
}

type Failing = Pick<Protocol.Network.LoadingFailedEvent, 'errorText' | 'blockedReason' | 'corsErrorStatus'>;

/** Returns whether a request has failed, or a server has answered it with an error. */
export function hasFailed({ failure, status = 0 }: NetworkRequest): boolean {
  return failure !== undefined || status >= 400;
}
