import type { HttpMessage } from '../http-message.ts';
import { isPermanent, type Redirects } from './redirects.ts';

const MAX_REDIRECTS = 5;
const ENDLESS = { problem: 'it redirects endlessly' } as const;

/** The way of one message from the configured url to the one that takes it, redirects included. */
export class MessageRoute {
  readonly #redirects: Redirects;
  readonly #method: HttpMessage['method'];
  #url: URL;
  #followed = 0;
  /** True if a redirect on the way was temporary: later messages must not go straight to what is behind it. */
  #isDetour = false;

  constructor(redirects: Redirects, method: HttpMessage['method']) {
    this.#redirects = redirects;
    this.#method = method;
    this.#url = redirects.urlFor(method);
  }

  /** The url that the message has come to. */
  get url(): URL {
    return this.#url;
  }

  /** Goes on to where a redirect leads. Returns the reason why it is not followed, if it is not. */
  follow(status: number, location: string | undefined): string | undefined {
    const target = this.#followed++ < MAX_REDIRECTS ? this.#redirects.targetOf(this.#url, location) : ENDLESS;
    if ('problem' in target) return target.problem;
    this.#isDetour ||= !isPermanent(status);
    if (!this.#isDetour) this.#redirects.remember(this.#method, target);
    this.#url = target;
    return undefined;
  }

  /** The message failed: the next one of its method goes to the configured url. */
  forget(): void {
    this.#redirects.forget(this.#method);
  }
}
