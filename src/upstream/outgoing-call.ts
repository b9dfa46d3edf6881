import { GatewayError } from '../core/errors.ts';
import type { ProviderCall, RunningCall } from '../core/provider.ts';
import { type Throttle, throttle } from '../core/throttle.ts';
import type { UpstreamTimeouts } from '../core/upstream-entry.ts';
import type { ByteString } from '../wire/bytes.ts';
import { spliceCall } from '../wire/call-text.ts';
import type { Frame } from '../wire/frame.ts';
import type { ResponseMessage } from '../wire/message.ts';
import { relayedReply } from '../wire/reply.ts';
import type { Span } from '../wire/scanner.ts';
import type { Link } from './link.ts';
import type { Waiter } from './pending.ts';

/** Nobody can read more than twenty a second. */
const PROGRESS_LIMITS = { burst: 20, intervalMs: 50 };

/** A client's call on its way through one upstream. It settles once: answered, failed or cancelled. */
export class OutgoingCall implements Waiter, RunningCall {
  readonly call: ProviderCall;
  readonly isCancellable = true;
  readonly idleMs: number;
  readonly totalMs: number;
  /** Gives the call's place to the next one that waits; set when its turn has come. */
  onDone: (() => void) | undefined;
  readonly #upstream: string;
  readonly #onSettled: (call: OutgoingCall) => void;
  #link: Link | undefined;
  #id = -1;
  #settled = false;
  #progress: Throttle | undefined;
  /** Progress that was not passed on yet. */
  #newest: { readonly frame: Frame; readonly token: Span } | undefined;

  constructor(
    call: ProviderCall,
    upstream: string,
    timeouts: UpstreamTimeouts,
    onSettled: (call: OutgoingCall) => void,
  ) {
    this.call = call;
    this.idleMs = timeouts.callMs;
    this.totalMs = timeouts.totalMs;
    this.#upstream = upstream;
    this.#onSettled = onSettled;
  }

  get sessionId(): string {
    return this.call.caller.sessionId;
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** The call is written to the upstream: from now on nobody knows what it did until it answers. */
  get isSent(): boolean {
    return this.#link !== undefined;
  }

  send(link: Link): void {
    if (this.#settled) return;
    this.#link = link;
    const { text, ownName, ownToken } = this.call;
    const target = ownName === text.target ? undefined : ownToken;
    this.#id = link.send(this, (id) => spliceCall(text, { id, progressToken: id, target }));
  }

  onResponse(message: ResponseMessage): void {
    const reply = relayedReply(message);
    if ('problem' in reply) {
      this.onFailure(
        new GatewayError('UPSTREAM_INVALID_ANSWER', `${this.#upstream}: invalid answer: ${reply.problem}`, {
          upstream: this.#upstream,
          effect: 'unknown',
        }),
      );
      return;
    }
    if (this.#settle()) this.call.caller.onReply(reply);
  }

  onFailure(error: GatewayError): void {
    if (this.#settle()) this.call.caller.onFailure(error);
  }

  /** A flood of progress is thinned out: the newest wins, and the last one before the answer always arrives. */
  onProgress(frame: Frame, token: Span): void {
    if (this.#settled) return;
    this.#newest = { frame, token };
    this.#progress ??= throttle(() => this.#passProgress(), PROGRESS_LIMITS);
    this.#progress.request();
  }

  /** The client does not want it any more. */
  cancel(reason?: ByteString): void {
    if (!this.#settle()) return;
    this.#link?.cancel(this.#id, reason);
  }

  #passProgress(): void {
    const newest = this.#newest;
    this.#newest = undefined;
    if (newest !== undefined) this.call.caller.onProgress(newest.frame, newest.token);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#progress?.cancel();
    this.#passProgress();
    this.#settled = true;
    this.#onSettled(this);
    return true;
  }
}
