import { Frame } from '../../../wire/frame.ts';
import { ownId } from '../../../wire/ids.ts';
import { readMessage } from '../../../wire/message.ts';
import type { HttpEndpoint } from '../http/endpoint.ts';
import { SessionGate } from '../session-gate.ts';
import { type Post, SsePosts, type SsePostsHost } from './sse-posts.ts';

/** The method that may not be repeated: a broken connection does not mean that nothing was done. */
const NOT_REPEATABLE = 'tools/call';

/** Posts each message to the endpoint, once the endpoint is known and the session has begun. */
export class SseSender {
  readonly #host: SsePostsHost;
  readonly #posts: SsePosts;
  readonly #gate = new SessionGate((body) => this.#send(body));
  #endpoint: HttpEndpoint | undefined;

  constructor(host: SsePostsHost) {
    this.#host = host;
    this.#posts = new SsePosts(host);
    // Nothing can be sent before the endpoint is known.
    this.#gate.close();
  }

  /** The endpoint for messages; `undefined` until the server has named it. */
  get endpoint(): HttpEndpoint | undefined {
    return this.#endpoint;
  }

  /** Bytes of messages that wait, or are not written yet. */
  get queuedBytes(): number {
    return (this.#endpoint?.queuedBytes ?? 0) + this.#gate.bytes;
  }

  /** Sends what has waited for the endpoint, and from now on what comes. */
  open(endpoint: HttpEndpoint): void {
    this.#endpoint = endpoint;
    this.#gate.open();
  }

  send(body: Buffer): void {
    this.#gate.send(body);
  }

  /** A request is over. */
  settle(id: number): void {
    this.#posts.settle(id);
  }

  #send(body: Buffer): void {
    if (this.#host.isStopped) return;
    const message = readMessage(Frame.of(body));
    if (message.kind === 'request') {
      void this.#post({ body, id: ownId(message.id), isRepeatable: message.method !== NOT_REPEATABLE });
    } else if (message.kind === 'notification' && message.method === 'notifications/initialized') {
      void this.#gate.closeWhile(this.#post({ body })).then(() => this.#gate.open());
    } else void this.#post({ body });
  }

  /** The gate is open only while the endpoint is known. */
  #post(post: Post): Promise<void> {
    return this.#posts.post(this.#endpoint!, post);
  }
}
