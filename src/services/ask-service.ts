/** A JSON request to a service that the config names. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON where it is given. */
  readonly body?: unknown;
  /** Milliseconds until the answer has to be there in full. */
  readonly timeoutMs: number;
  /** Longest answer in bytes. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** The answer of a service, with any status. */
export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The reason why there is no answer: no connection or a broken one, too slow, a redirect elsewhere, too long. */
export type ServiceFault = 'network' | 'timeout' | 'redirect' | 'too-large';

/** A service gave no answer. The message completes a sentence that begins with the service. */
export class ServiceError extends Error {
  readonly fault: ServiceFault;

  constructor(fault: ServiceFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'ServiceError';
    this.fault = fault;
  }
}

/**
 * Sends a request and reads the answer as text. Follows no redirects: keys belong to the host of the config only.
 * @throws ServiceError if no answer comes; the reason of `signal` when that is aborted
 */
export async function askService(request: ServiceRequest): Promise<ServiceAnswer> {
  const { signal, timeoutMs } = request;
  signal.throwIfAborted();
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await exchange(request, AbortSignal.any([signal, late]));
  } catch (error) {
    signal.throwIfAborted();
    if (late.aborted) throw new ServiceError('timeout', `does not answer within ${timeoutMs / 1_000} s`);
    if (error instanceof ServiceError) throw error;
    throw unreachable(error);
  }
}

async function exchange(request: ServiceRequest, signal: AbortSignal): Promise<ServiceAnswer> {
  const response = await openResponse(request, signal);
  return { status: response.status, headers: response.headers, text: await textOf(response, request.maxBytes) };
}

/**
 * Sends a request and returns the response as soon as its head is there.
 * @throws ServiceError for a redirect; what `fetch` throws otherwise, also the reason of `signal`
 */
export async function openResponse(
  { method, url, headers = {}, body }: Pick<ServiceRequest, 'method' | 'url' | 'headers' | 'body'>,
  signal: AbortSignal,
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
    signal,
  });
  if (response.status < 300 || response.status >= 400) return response;
  await response.body?.cancel();
  throw new ServiceError('redirect', `redirects to another address (${response.status}), which is not followed`);
}

/** Reads a whole body as text. @throws ServiceError if it has more than `maxBytes` bytes; what the stream throws */
export function textOf(response: Response, maxBytes: number): Promise<string> {
  return joinedText(bounded((response.body ?? []) as AsyncIterable<Uint8Array>, maxBytes));
}

/** Reads pieces to their end, as one text. */
export async function joinedText(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read).toString('utf8');
}

/** Passes pieces on. Leaving the iteration cancels their stream. @throws ServiceError once they have more than `maxBytes` bytes */
export async function* bounded(pieces: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.byteLength;
    if (length > maxBytes) throw new ServiceError('too-large', `answers with more than ${maxBytes} bytes`);
    yield piece;
  }
}

/** Returns the error of a connection that could not be made, or was lost before an answer. */
export function unreachable(error: unknown): ServiceError {
  return new ServiceError('network', `cannot be reached (${networkWords(error)})`, error);
}

/** `fetch` says "fetch failed" and no more; the cause says why, and of several attempts the first one does. */
export function networkWords(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const inner = cause instanceof AggregateError ? cause.errors[0] : (cause ?? error);
  const { code, message } = inner as NodeJS.ErrnoException;
  return code ?? message;
}
