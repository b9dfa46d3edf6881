import { bounded, openResponse, ServiceError, type ServiceRequest, textOf, unreachable } from './ask-service.ts';

/** A request whose answer comes in pieces. Its signal also has to end what takes too long. */
export type StreamRequest = Omit<ServiceRequest, 'timeoutMs'>;

/** An answer that has begun to come. */
export interface ServiceStream {
  readonly status: number;
  readonly headers: Headers;
  /** The whole body of an answer whose status is not 200. */
  readonly text: string;
  /** The body of one whose status is 200, as it arrives. Leaving the iteration ends the request. */
  readonly pieces: AsyncIterable<Uint8Array>;
}

/**
 * Sends a request and waits for the first bytes of the answer. Follows no redirects.
 * @throws ServiceError if no answer comes (`network` only if not a byte of its body has arrived); the reason of the
 * signal when that is aborted
 */
export async function openStream(request: StreamRequest): Promise<ServiceStream> {
  const { signal, maxBytes } = request;
  try {
    signal.throwIfAborted();
    const response = await openResponse(request, signal);
    const { status, headers } = response;
    if (status !== 200) return { status, headers, text: await textOf(response, maxBytes), pieces: none() };
    return { status, headers, text: '', pieces: await begun(response, maxBytes) };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ServiceError ? error : unreachable(error);
  }
}

async function* none(): AsyncGenerator<Uint8Array> {}

async function begun(response: Response, maxBytes: number): Promise<AsyncIterable<Uint8Array>> {
  const body = response.body as AsyncIterable<Uint8Array> | null;
  if (body === null) return none();
  const pieces = bounded(body, maxBytes);
  return resumed(await pieces.next(), pieces);
}

/** Gives a piece that was read already, and then the others. */
async function* resumed(
  first: IteratorResult<Uint8Array>,
  others: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    if (first.done === true) return;
    yield first.value;
    yield* others;
  } finally {
    await others.return(undefined);
  }
}
