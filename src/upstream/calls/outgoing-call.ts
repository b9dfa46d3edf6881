import { type Effect, type ErrorCode, GatewayError } from '../../core/errors.ts';
import type { Caller, ClientFacts, ProviderCall, RunningCall } from '../../core/providers/provider.ts';
import type { UpstreamTimeouts } from '../../core/settings/upstream-entry.ts';
import { cutText } from '../../core/text/clean-text.ts';
import { type Throttle, throttle } from '../../core/timing/throttle.ts';
import { eraEdits } from '../../era/call-edits.ts';
import { hopErrorIn } from '../../era/hop-errors.ts';
import { resultTypeOf } from '../../era/input-rounds.ts';
import { MAY_REQUIRE_INPUT } from '../../era/modern/modern.ts';
import type { ByteString } from '../../wire/bytes.ts';
import { spliceCall } from '../../wire/edits/call-text.ts';
import type { Edit, Frame } from '../../wire/frame.ts';
import type { ResponseMessage } from '../../wire/message.ts';
import { errorReply, openReply, type Reply, type ReplySource, relayedReply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import type { Link } from '../connection/link.ts';
import type { Waiter } from '../connection/pending.ts';
import type { EndingCall } from '../events/asks/call-tracker.ts';
import type { ElicitationIds } from '../events/asks/elicitation-ids.ts';
import { InputRounds } from './rounds.ts';

/** Nobody can read more than twenty a second. */
const PROGRESS_LIMITS = { burst: 20, intervalMs: 50 };

export interface OutgoingCallOwner {
  readonly elicitations: ElicitationIds;
  /** It is about to be written to the upstream; `idBefore` is that of an earlier try. */
  onSent(call: OutgoingCall, idBefore: number): void;
  onSettled(call: OutgoingCall): void;
  /** The upstream has not heard of it: it may be sent once more when there is another connection. */
  onReturned(call: OutgoingCall): void;
  /** Reads the upstream's list of tools anew. */
  readTools(): Promise<void>;
  /** Quotes what the upstream wrote last to standard error, as far as this client may know. */
  lastWords(client: ClientFacts): string;
  /** The upstream's answer with the uris that clients use. */
  publicReply(call: ProviderCall, reply: Reply): Reply;
}

/** Characters of an error, in which words of the upstream may stand: types of results, names of capabilities. */
const MAX_WORDS = 1_000;

/** Failures of a call whose upstream is not there. */
const IS_AWAY: ReadonlySet<ErrorCode> = new Set(['UPSTREAM_EXITED', 'UPSTREAM_NOT_CONNECTED', 'UPSTREAM_CRASH_LOOP']);

/** Failures that come of an answer. */
const ANSWERED: ReadonlySet<ErrorCode> = new Set(['UPSTREAM_INVALID_ANSWER', 'ANSWER_TOO_LARGE']);

/** A client's call on its way through one upstream. It settles once: answered, failed or cancelled. */
export class OutgoingCall implements Waiter, RunningCall, EndingCall {
  readonly call: ProviderCall;
  readonly isCancellable = true;
  readonly idleMs: number;
  /** Gives up the call's place: among those that wait, or, when its turn has come, to the next of them. */
  onDone: (() => void) | undefined;
  /** Its turn has come. */
  hasBegun = false;
  readonly #upstream: string;
  readonly #owner: OutgoingCallOwner;
  readonly #limitMs: number;
  #link: Link | undefined;
  #id = -1;
  /** The id of the last attempt that was written to the upstream. */
  #sentId = -1;
  #isAnswered = false;
  #callOwner: string | undefined;
  #sentAt = 0;
  /** What earlier tries of this call took. */
  #spentMs = 0;
  #rounds: InputRounds | undefined;
  /** Nothing of it is with the upstream: its client is being asked what the upstream wants to know, or lists are read. */
  #isParked = false;
  /** Questions of the upstream that its client has and that may be this call's. */
  #questions = 0;
  #settled = false;
  #wasReturned = false;
  #isAfresh = false;
  /** What a retry with answers has besides, as it was sent last. */
  #retry: readonly Edit[] = [];
  #progress: Throttle | undefined;
  /** Progress that was not passed on yet. */
  #newest: { readonly frame: Frame; readonly token: Span } | undefined;

  constructor(call: ProviderCall, upstream: string, timeouts: UpstreamTimeouts, owner: OutgoingCallOwner) {
    this.call = call;
    // A server is silent until the task is done, however long that takes.
    this.idleMs = call.text.message.method === 'tasks/result' ? timeouts.totalMs : timeouts.callMs;
    this.#limitMs = timeouts.totalMs;
    this.#upstream = upstream;
    this.#owner = owner;
  }

  get sessionId(): string {
    return this.call.caller.sessionId;
  }

  /** Made when first asked for: a client's whole name may be part of it. */
  get owner(): string {
    this.#callOwner ??= ownerOf(this.call.caller);
    return this.#callOwner;
  }

  get mayGoOn(): boolean {
    return !this.#isAnswered && !this.#isParked;
  }

  get isAsked(): boolean {
    return this.#questions > 0;
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** The id of the request to the upstream, and its token for progress. */
  get requestId(): number {
    return this.#sentId;
  }

  /** The call is written to the upstream: from now on nobody knows what it did until it answers. */
  get isSent(): boolean {
    return this.#link !== undefined;
  }

  /** What is left of the time for the whole of it. */
  get totalMs(): number {
    return Math.max(1, Math.round(this.#limitMs - this.#spentMs));
  }

  whenRoom(): Promise<void> | undefined {
    return this.call.caller.whenRoom?.();
  }

  send(link: Link): void {
    if (this.#settled) return;
    this.#link = link;
    this.#send(link, []);
  }

  /** Its client is asked something: the time until it has answered is not the upstream's. */
  pauseClock(): void {
    if (this.#questions++ === 0) this.#pauseRequest();
  }

  resumeClock(): void {
    // The request that was paused may have been sent anew since then: `#send` pauses the new one.
    if (--this.#questions === 0 && !this.#isParked) this.#link?.pending.resume(this.#id);
  }

  /** Time stands still for what is parked, whatever is asked. */
  #pauseRequest(): void {
    if (!this.#isParked) this.#link?.pending.pause(this.#id);
  }

  onResponse(message: ResponseMessage): void {
    this.#isAnswered = true;
    const isModern = this.#link?.era === 'modern';
    const own = relayedReply(message, isModern);
    if ('problem' in own) {
      this.#failInvalid(own.problem);
      return;
    }
    const reply = this.#owner.publicReply(this.call, own);
    if (isModern) this.#onModernReply(reply);
    else this.answer(reply);
  }

  /** The call is answered with this. */
  answer(reply: Reply): void {
    if (!this.#settle()) return;
    this.call.caller.onReply(this.#owner.elicitations.answer(reply, this.sessionId));
  }

  onFailure(error: GatewayError): void {
    this.#isAnswered ||= error.detail.effect === 'none' || ANSWERED.has(error.code);
    if (this.#settle()) this.call.caller.onFailure(this.#withLastWords(error));
  }

  /** Why a process ended, or cannot be reached, is often on its standard error only. */
  #withLastWords(error: GatewayError): GatewayError {
    if (!IS_AWAY.has(error.code)) return error;
    const words = this.#owner.lastWords(this.call.caller.client);
    if (words === '') return error;
    return new GatewayError(error.code, `${error.message}. ${words}`, error.detail);
  }

  /** Once: a server that forgets each new session, too, would be sent the call for ever. */
  onUnheard(error: GatewayError): void {
    if (this.#settled) return;
    if (this.#wasReturned) {
      this.onFailure(error);
      return;
    }
    this.#wasReturned = true;
    this.#spentMs += performance.now() - this.#sentAt;
    this.#link = undefined;
    this.#owner.onReturned(this);
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
    const wasParked = this.#isParked;
    if (!this.#settle()) return;
    if (!wasParked) this.#link?.cancel(this.#id, reason);
  }

  #send(link: Link, retry: readonly Edit[]): void {
    const { text, ownName, ownToken, caller } = this.call;
    const target = ownName === text.target ? undefined : ownToken;
    const edits = eraEdits(text, caller.client, link.era);
    const era = retry.length === 0 ? edits : [...retry, ...(edits ?? [])];
    this.#retry = retry;
    this.#sentAt = performance.now();
    this.#id = link.send(this, (id) => {
      const before = this.#sentId;
      this.#sentId = id;
      this.#isAnswered = false;
      this.#owner.onSent(this, before);
      return spliceCall(text, { id, progressToken: id, target, ...(era !== undefined && { era }) });
    });
    if (this.#questions > 0) this.#pauseRequest();
  }

  #onModernReply(reply: Reply): void {
    if (reply.outcome === 'error') this.#onModernError(reply);
    else if (this.call.caller.client.era === 'modern') this.answer(reply);
    else this.#onModernResult(reply);
  }

  #onModernError(reply: Reply): void {
    const error = hopErrorIn(openReply(reply));
    if (error?.kind === 'header-mismatch' && this.#maySendAfresh()) void this.#sendAfresh(error.message);
    else if (error?.kind === 'own-fault' || error?.kind === 'header-mismatch') this.#answerOwnFault(error.message);
    else if (error?.kind === 'missing-capability' && this.call.caller.client.era === 'legacy') {
      const names = error.names.join(', ') || 'a capability that it does not name';
      this.#fail('CAPABILITY_MISSING', `it needs a client that supports ${names}`, 'none');
    } else {
      this.answer(reply);
    }
  }

  #answerOwnFault(said: string): void {
    const message = `${this.#upstream}: it refused the request as the gateway wrote it: ${cutText(said, MAX_WORDS)}`;
    this.answer(errorReply({ code: -32603, message }));
  }

  /** Only a tool says which headers its calls need. */
  #maySendAfresh(): boolean {
    return !this.#isAfresh && this.call.text.message.method === 'tools/call';
  }

  /** Nothing has run: the headers are made once more, of the list as it is now (2026-07-28, "Server Behavior for Custom Headers"). */
  async #sendAfresh(said: string): Promise<void> {
    const link = this.#link!;
    this.#isAfresh = true;
    this.#park(link);
    try {
      await this.#owner.readTools();
    } catch {
      this.#answerOwnFault(said);
      return;
    }
    if (this.#settled) return;
    this.#unpark();
    this.#send(link, this.#retry);
  }

  /** Legacy clients get complete results only. */
  #onModernResult(reply: Reply): void {
    const source = openReply(reply);
    const type = resultTypeOf(source);
    if (type === 'complete') this.answer(reply);
    else if (type === 'input_required' && MAY_REQUIRE_INPUT.has(this.call.text.message.method)) this.#askClient(source);
    else this.#failInvalid(`results of the type ${JSON.stringify(type)} have no meaning here`);
  }

  #askClient(source: ReplySource): void {
    const link = this.#link!;
    this.#park(link);
    this.#rounds ??= new InputRounds({
      upstream: this.#upstream,
      elicitations: this.#owner.elicitations,
      call: this.call,
      resend: (edits) => {
        this.#unpark();
        this.#send(link, edits);
      },
      fail: (error) => this.onFailure(error),
    });
    this.#rounds.begin(source);
  }

  #park(link: Link): void {
    this.#spentMs += performance.now() - this.#sentAt;
    this.#id = link.pending.add(this, true);
    this.#isParked = true;
  }

  #unpark(): void {
    if (this.#isParked) this.#link?.pending.take(this.#id);
    this.#isParked = false;
  }

  #failInvalid(problem: string): void {
    this.#fail('UPSTREAM_INVALID_ANSWER', `invalid answer: ${problem}`, 'unknown');
  }

  #fail(code: ErrorCode, text: string, effect: Effect): void {
    const upstream = this.#upstream;
    this.onFailure(new GatewayError(code, `${upstream}: ${cutText(text, MAX_WORDS)}`, { upstream, effect }));
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
    this.#unpark();
    this.#rounds?.withdraw('the call is over');
    this.#owner.onSettled(this);
    return true;
  }
}

/**
 * Calls of one session have no secrets from each other; nor have modern ones of one who has proved who he is. Where nobody
 * has to prove anything, names tell programs apart that share an endpoint, though nothing vouches for them.
 */
function ownerOf({ sessionId, client }: Caller): string {
  const { era, clientId, principal, clientInfo = '' } = client;
  if (era === 'legacy' || sessionId === clientId) return sessionId;
  return principal ? clientId : `${clientId} ${clientInfo}`;
}
