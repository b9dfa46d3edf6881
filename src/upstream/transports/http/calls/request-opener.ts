import type { ClientRequest } from 'node:http';
import type { Authorization } from '../../transport.ts';
import type { Connections } from '../connections.ts';
import type { Headers, HttpMessage } from '../http-message.ts';

export interface RequestOpenerOptions {
  /** The headers of every request, in lower case. */
  readonly headers: Headers;
  readonly connections: Pick<Connections, 'request' | 'agent'>;
  readonly authorization: Pick<Authorization, 'headers'> | undefined;
}

/** Opens requests, and counts the bytes of their bodies until they are written. */
export class RequestOpener {
  readonly #options: RequestOpenerOptions;
  #queuedBytes = 0;

  constructor(options: RequestOpenerOptions) {
    this.#options = options;
  }

  /** Bytes of bodies that are not written yet. */
  get queuedBytes(): number {
    return this.#queuedBytes;
  }

  /**
   * Sends a message to a url.
   * @throws TypeError for a header that HTTP does not allow, such as a token with a line break
   */
  open({ method, headers, body }: HttpMessage, url: URL): ClientRequest {
    const { headers: common, connections, authorization } = this.#options;
    const length = body?.length ?? 0;
    const all = {
      ...common,
      ...authorization?.headers(),
      ...headers,
      ...(body !== undefined && { 'content-length': String(length) }),
    };
    const opened = connections.request(url, { method, headers: all, agent: connections.agent });
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
