import { TransientMap } from '../../core/collections/transient-map.ts';
import type { ClientAsk, ClientFacts, WithdrawAsk } from '../../core/providers/provider.ts';
import type { ByteString } from '../../wire/bytes.ts';
import type { CallText } from '../../wire/edits/call-text.ts';
import { type IdToken, idKey } from '../../wire/ids.ts';
import type { NotificationMessage } from '../../wire/message.ts';
import { errorReply, type Reply } from '../../wire/reply.ts';
import { ActiveCall, type ActiveCallHost } from '../active-call.ts';
import type { Exchange } from '../exchange.ts';
import { denialError, failureReply } from '../failure.ts';
import type { Denial } from '../local/call-quota.ts';
import { COUNTED_METHODS } from '../local/local-methods.ts';
import type { SessionHost } from '../session-host.ts';
import type { ClientSubscriptions } from '../subscriptions/client-subscriptions.ts';
import type { LegacyIntroduction } from './introduction.ts';
import type { ClientLogLevel } from './log-level.ts';
import type { Questions } from './questions.ts';

export interface OpenCallsOptions {
  readonly sessionId: string;
  readonly host: Pick<SessionHost, 'quota' | 'router'>;
  /** The id under which calls are counted: all sessions of one principal are one client. */
  readonly payer: string;
  readonly introduction: LegacyIntroduction;
  readonly logLevel: ClientLogLevel;
  readonly questions: Questions;
  readonly subscriptions: ClientSubscriptions;
}

/** The calls of a legacy client that are not answered yet, by the ids that it gave them. */
export class OpenCalls implements ActiveCallHost {
  readonly id: string;
  readonly #options: OpenCallsOptions;
  readonly #calls = new TransientMap<string, ActiveCall>();

  constructor(options: OpenCallsOptions) {
    this.id = options.sessionId;
    this.#options = options;
  }

  get size(): number {
    return this.#calls.size;
  }

  get facts(): ClientFacts {
    return this.#options.introduction.facts;
  }

  /** Returns why a request would be refused now. Calls are bounded, requests that ask no upstream are not. */
  denialOf(method: string): Denial | undefined {
    return COUNTED_METHODS.has(method) ? this.#denial() : undefined;
  }

  /** Begins a call. Returns the answer to one that may not begin; `undefined` if its provider will answer. */
  begin(text: CallText, exchange: Exchange): Reply | undefined {
    const { method, id } = text.message;
    const key = idKey(id);
    if (this.#calls.has(key)) return idInUse(id);
    const denial = this.#denial();
    if (denial !== undefined) return failureReply(method, denialError(denial));
    const { host, payer, subscriptions } = this.#options;
    const call = new ActiveCall(key, text, this, exchange);
    this.#calls.set(key, call);
    host.quota.onCallBegun(payer);
    call.running = subscriptions.call(text, call, (caller) => host.router.call(text, caller));
    return undefined;
  }

  /** Cancels the call with this id, if it is open. `reason` is a raw JSON token. */
  cancel(id: IdToken, reason: ByteString | undefined): void {
    this.#calls.get(idKey(id))?.cancel(reason);
  }

  /** Cancels all calls. `reason` is a raw JSON token. */
  cancelAll(reason: ByteString): void {
    for (const call of this.#calls.values()) call.cancel(reason);
  }

  onCallEnded(call: ActiveCall): void {
    this.#calls.take(call.key);
    this.#options.host.quota.onCallEnded(this.#options.payer);
  }

  ask(ask: ClientAsk, exchange: Exchange): WithdrawAsk {
    return this.#options.questions.ask(ask, exchange);
  }

  wantsNotification(message: NotificationMessage): boolean {
    return this.#options.logLevel.wants(message);
  }

  #denial(): Denial | undefined {
    return this.#options.host.quota.denial(this.#options.payer);
  }
}

function idInUse(id: IdToken): Reply {
  const message = `Invalid request: the id ${id} is in use by a request that is not answered yet`;
  return errorReply({ code: -32600, message });
}
