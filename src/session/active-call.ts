import { GatewayError } from '../core/errors.ts';
import type { Caller, ClientAsk, ClientFacts, RunningCall, WithdrawAsk } from '../core/providers/provider.ts';
import { forLegacyClient } from '../era/legacy/legacy-result.ts';
import type { ByteString } from '../wire/bytes.ts';
import { type CallText, edit } from '../wire/edits/call-text.ts';
import type { Frame } from '../wire/frame.ts';
import type { NotificationMessage } from '../wire/message.ts';
import type { Reply } from '../wire/reply.ts';
import type { Span } from '../wire/scanning/outline.ts';
import type { Exchange } from './exchange.ts';
import { failureReply } from './failure.ts';

/** The parts of its session that a call needs. */
export interface ActiveCallHost {
  readonly id: string;
  readonly facts: ClientFacts;
  onCallEnded(call: ActiveCall): void;
  ask(ask: ClientAsk, exchange: Exchange): WithdrawAsk;
  wantsNotification(message: NotificationMessage): boolean;
}

/** One request of a client while a provider works on it. */
export class ActiveCall implements Caller {
  readonly key: string;
  readonly #text: CallText;
  readonly #host: ActiveCallHost;
  readonly #exchange: Exchange;
  readonly #progressToken: ByteString | undefined;
  #running: RunningCall | undefined;
  #ended = false;

  constructor(key: string, text: CallText, host: ActiveCallHost, exchange: Exchange) {
    this.key = key;
    this.#text = text;
    this.#host = host;
    this.#exchange = exchange;
    const token = text.progressToken;
    this.#progressToken = token === undefined ? undefined : text.message.frame.raw(token);
  }

  get sessionId(): string {
    return this.#host.id;
  }

  get client(): ClientFacts {
    return this.#host.facts;
  }

  /** The call at its provider, which is told when the client no longer wants it. */
  set running(running: RunningCall) {
    this.#running = running;
  }

  onReply(reply: Reply): void {
    if (!this.#end()) return;
    const { method, id } = this.#text.message;
    this.#exchange.reply(forLegacyClient(method, reply).withId(id));
  }

  onFailure(error: GatewayError): void {
    this.onReply(failureReply(this.#text.message.method, error));
  }

  onProgress(frame: Frame, token: Span): void {
    if (this.#ended || this.#progressToken === undefined) return;
    this.#exchange.sendIfRoom(frame.splice([edit(token, this.#progressToken)]));
  }

  onNotification(message: NotificationMessage): void {
    if (!this.#ended && this.#host.wantsNotification(message)) this.#exchange.sendIfRoom(message.frame.bytes());
  }

  whenRoom(): Promise<void> | undefined {
    return this.#exchange.whenRoom?.();
  }

  ask(ask: ClientAsk): WithdrawAsk {
    if (this.#ended) {
      ask.onFailure(new GatewayError('CALL_CANCELLED', 'The call has ended'));
      return () => undefined;
    }
    return this.#host.ask(ask, this.#exchange);
  }

  /** The client has cancelled: no answer follows. */
  cancel(reason?: ByteString): void {
    if (!this.#end()) return;
    this.#running?.cancel(reason);
    this.#exchange.abandon();
  }

  #end(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    this.#host.onCallEnded(this);
    return true;
  }
}
