import { GatewayError } from '../../core/errors.ts';
import { asObject } from '../../core/json/as-object.ts';
import type { Caller, ClientAsk, ClientFacts, RunningCall, WithdrawAsk } from '../../core/providers/provider.ts';
import { missingCapability, requiredCapabilities } from '../../era/capabilities.ts';
import { hopErrorIn } from '../../era/hop-errors.ts';
import { inputRequiredResult, requiredUrls, responseProblem } from '../../era/input-required.ts';
import { severityOf } from '../../era/legacy/legacy.ts';
import { MAY_REQUIRE_INPUT, MODERN_ERRORS } from '../../era/modern/modern.ts';
import { forModernClient } from '../../era/modern/modern-result.ts';
import { digestOf } from '../../era/request-state.ts';
import { type ByteString, parsedBytes } from '../../wire/bytes.ts';
import { type CallText, edit } from '../../wire/edits/call-text.ts';
import type { Frame } from '../../wire/frame.ts';
import { lastMember, membersOf, stringAt } from '../../wire/lens.ts';
import type { NotificationMessage, RequestMessage } from '../../wire/message.ts';
import { errorReply, madeReply, openReply, type Reply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import type { Exchange } from '../exchange.ts';
import { failureReply } from '../failure.ts';
import { severityOfMessage } from '../log-filter.ts';
import { askInRule } from '../roots/asked-roots.ts';
import type { ParkedCall, Parking } from './parking.ts';

/** What a call needs of its client and of the gateway. */
export interface ModernCallHost {
  readonly parking: Parking<ModernCall>;
  /** JSON of what results name as their server; `undefined` where they name none. */
  serverInfo(): ByteString | undefined;
  route(text: CallText, call: ModernCall): RunningCall;
  onCallEnded(call: ModernCall): void;
}

export interface CallIdentity {
  readonly id: string;
  /** Whose call a provider takes it for when it asks or logs something. */
  readonly sessionId: string;
  /** Who alone may go on with it. */
  readonly identity: string;
}

/** One request of a modern client, on its way to an answer. */
export interface ModernRequest {
  readonly text: CallText;
  readonly client: ClientFacts;
  readonly exchange: Exchange;
}

/** Questions that come within this time of each other travel in one answer, in milliseconds. */
const SETTLE_MS = 15;
const MAX_UNTOLD = 32;

/** Notifications that a modern client does not know. */
const LEGACY_NOTIFICATIONS: ReadonlySet<string> = new Set([
  'notifications/elicitation/complete',
  'notifications/tasks/status',
]);

interface Question {
  readonly ask: Pick<ClientAsk, 'message' | 'onAnswer' | 'onFailure'>;
  isSent: boolean;
}

/**
 * A modern client's call while a provider works on it. When the provider asks something, the request is answered with
 * the question and the call is parked: the provider goes on waiting, until the client calls again with the answer.
 */
export class ModernCall implements Caller, ParkedCall {
  readonly id: string;
  readonly sessionId: string;
  readonly identity: string;
  readonly #host: ModernCallHost;
  readonly #method: string;
  /** The request that is open now; none while the call is parked. */
  #request: ModernRequest | undefined;
  #client: ClientFacts;
  #digest: string | undefined;
  readonly #text: CallText;
  #running: RunningCall | undefined;
  readonly #questions = new Map<string, Question>();
  #nextQuestion = 1;
  readonly #untold: (() => void)[] = [];
  #settling: NodeJS.Timeout | undefined;
  /** The provider's answer, which came while the call was parked. */
  #outcome: Reply | undefined;
  #ended = false;

  constructor(request: ModernRequest, { id, sessionId, identity }: CallIdentity, host: ModernCallHost) {
    this.id = id;
    this.#request = request;
    this.#client = request.client;
    this.#text = request.text;
    this.#method = request.text.message.method;
    this.identity = identity;
    this.sessionId = sessionId;
    this.#host = host;
  }

  get client(): ClientFacts {
    return this.#client;
  }

  /** Made at first use: most calls are never parked. */
  get digest(): string {
    this.#digest ??= digestOf(this.identity, this.#text);
    return this.#digest;
  }

  get isOpen(): boolean {
    return this.#request !== undefined;
  }

  get isParked(): boolean {
    return this.#request === undefined && !this.#ended;
  }

  set running(running: RunningCall) {
    this.#running = running;
  }

  onReply(reply: Reply): void {
    if (this.#ended) return;
    const urls = reply.isModern === true || !MAY_REQUIRE_INPUT.has(this.#method) ? undefined : requiredUrls(reply);
    if (urls !== undefined) this.#askForUrls(urls);
    else if (this.#request === undefined) this.#outcome = reply;
    else this.#finish(reply);
  }

  onFailure(error: GatewayError): void {
    this.onReply(failureReply(this.#method, error));
  }

  onProgress(frame: Frame, token: Span): void {
    const request = this.#request;
    if (request === undefined) this.#keep(() => this.onProgress(frame, token));
    if (request?.text.progressToken === undefined) return;
    const own = request.text.message.frame.raw(request.text.progressToken);
    request.exchange.sendIfRoom(frame.splice([edit(token, own)]));
  }

  whenRoom(): Promise<void> | undefined {
    return this.#request?.exchange.whenRoom?.();
  }

  /** Log messages only where the request asked for them, and only as severe ones as it asked for. */
  onNotification(message: NotificationMessage): void {
    if (LEGACY_NOTIFICATIONS.has(message.method)) return;
    if (this.#request === undefined) {
      this.#keep(() => this.onNotification(message));
      return;
    }
    if (message.method === 'notifications/message') {
      const wanted = severityOf(this.#client.logLevel);
      if (wanted === -1 || severityOfMessage(message) < wanted) return;
    }
    this.#request.exchange.sendIfRoom(message.frame.bytes());
  }

  ask(ask: ClientAsk): WithdrawAsk {
    return askInRule(ask, {
      rule: this.#client.folderRule,
      tell: (message) => this.onNotification(message),
      send: (checked) => this.#ask(checked),
    });
  }

  /** What is wrong with the answers that a retry brings, if anything. */
  problemWith(text: Buffer, responses: ReadonlyMap<string, Span>): string | undefined {
    for (const [key, { ask }] of this.#questions) {
      const response = responses.get(key);
      const problem = response === undefined ? undefined : responseProblem(ask.message, text, response);
      if (problem !== undefined)
        return `"params.inputResponses" has no answer under ${JSON.stringify(key)}: ${problem}`;
    }
    return undefined;
  }

  /**
   * The client calls again, with answers. Those that nobody asked for are left alone; what was asked and not answered
   * is asked again.
   */
  resume(request: ModernRequest, responses: ReadonlyMap<string, Span>): void {
    this.#request = request;
    this.#client = request.client;
    for (const tell of this.#untold.splice(0)) tell();
    const { text } = request.text.message.frame;
    let isIncomplete = false;
    for (const [key, { ask, isSent }] of this.#questions) {
      const response = responses.get(key);
      if (response !== undefined && isSent) {
        this.#questions.delete(key);
        ask.onAnswer(madeReply('result', [text.subarray(response.start, response.end)]));
      } else if (isSent) isIncomplete = true;
    }
    // An answer may end the call, and it has been answered then.
    if (this.#ended) return;
    if (this.#outcome !== undefined) this.#finish(this.#outcome);
    else if (isIncomplete) this.#park();
    else if (this.#questions.size > 0) this.#settle();
  }

  /** The client does not want it any more: no answer follows. */
  cancel(reason?: ByteString): void {
    if (!this.#end()) return;
    this.#running?.cancel(reason);
    this.#request?.exchange.abandon();
    this.#dropQuestions();
  }

  onGivenUp(reason: string): void {
    this.cancel(JSON.stringify(reason));
  }

  /** While the call is parked nobody can be told anything; the newest of it is told when the client is back. */
  #keep(tell: () => void): void {
    if (this.#ended) return;
    if (this.#untold.length === MAX_UNTOLD) this.#untold.shift();
    this.#untold.push(tell);
  }

  #ask(ask: ClientAsk): WithdrawAsk {
    if (this.#ended || !MAY_REQUIRE_INPUT.has(this.#method)) {
      const why = this.#ended ? 'The call has ended' : `${this.#method} cannot ask its client anything`;
      ask.onFailure(new GatewayError('CAPABILITY_MISSING', why));
      return () => undefined;
    }
    const missing = this.#missing(ask.message);
    if (missing !== undefined) {
      ask.onFailure(new GatewayError('CAPABILITY_MISSING', `The client does not support ${missing}`));
      this.#refuse(missing);
      return () => undefined;
    }
    const key = this.#addQuestion(ask);
    if (this.#request !== undefined) this.#settle();
    return () => void this.#questions.delete(key);
  }

  #addQuestion(ask: Question['ask']): string {
    const key = `question-${this.#nextQuestion++}`;
    this.#questions.set(key, { ask, isSent: false });
    return key;
  }

  #settle(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      if (!this.#ended && this.#request !== undefined && this.#questions.size > 0) this.#park();
    }, SETTLE_MS);
  }

  /** Answers the open request with all questions that have no answer yet. */
  #park(): void {
    const request = this.#request!;
    const state = this.#host.parking.park(this);
    if (state === undefined) {
      this.#giveUp(
        failureReply(
          this.#method,
          new GatewayError('OVERLOADED', 'Too many calls wait for input of their clients', { effect: 'unknown' }),
        ),
      );
      return;
    }
    for (const question of this.#questions.values()) question.isSent = true;
    const asks = new Map([...this.#questions].map(([key, { ask }]) => [key, ask.message]));
    const result = { ...madeReply('result', inputRequiredResult(asks, state)), isModern: true };
    this.#request = undefined;
    request.exchange.reply(this.#rendered(result, request));
  }

  /** A legacy server wants URLs visited, and then the same call once more. */
  #askForUrls(urls: readonly RequestMessage[]): void {
    const missing = this.#missing(urls[0]!);
    if (missing !== undefined) {
      this.#refuse(missing);
      return;
    }
    let waiting = urls.length;
    const accepted: boolean[] = [];
    const onAnswer = (answer: Reply) => {
      accepted.push(isAccepted(answer));
      if (--waiting === 0) this.#callAgain(accepted.every(Boolean));
    };
    for (const message of urls) this.#addQuestion({ message, onAnswer, onFailure: () => undefined });
    if (this.#request !== undefined) this.#settle();
  }

  #callAgain(isAccepted: boolean): void {
    // As it came first: what the client has added since was for us.
    if (isAccepted) this.#running = this.#host.route(this.#text, this);
    else this.onFailure(new GatewayError('CALL_CANCELLED', 'The user did not visit the URL that the server asks for'));
  }

  #missing(message: RequestMessage): string | undefined {
    return missingCapability(message, asObject(parsedBytes(this.#client.capabilities)));
  }

  /** The provider needs what this client has not declared. */
  #refuse(missing: string): void {
    this.#giveUp(
      errorReply({
        code: MODERN_ERRORS.missingCapability,
        message: `The server needs the client capability ${missing}`,
        data: { requiredCapabilities: requiredCapabilities(missing) },
      }),
      400,
    );
  }

  /** Answers without waiting for the provider, which is told to stop. */
  #giveUp(reply: Reply, status?: number): void {
    this.#running?.cancel();
    if (this.#request === undefined) this.#outcome = reply;
    else this.#finish(reply, status);
  }

  #finish(reply: Reply, status?: number): void {
    const request = this.#request;
    if (request === undefined || !this.#end()) return;
    request.exchange.reply(this.#rendered(reply, request), status ?? statusOf(reply));
    this.#dropQuestions();
  }

  #rendered(reply: Reply, { text }: ModernRequest) {
    return forModernClient(this.#method, reply, this.#host.serverInfo()).withId(text.message.id);
  }

  #end(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    clearTimeout(this.#settling);
    this.#host.parking.leave(this);
    this.#host.onCallEnded(this);
    return true;
  }

  /** Whoever asked may ask another call: where a client has several, it was perhaps not this one's question. */
  #dropQuestions(): void {
    const questions = [...this.#questions.values()];
    this.#questions.clear();
    for (const { ask } of questions) ask.onFailure(new GatewayError('CALL_CANCELLED', 'The call has ended'));
  }
}

/** The one error of a server's own that HTTP has a status for (2026-07-28, "Per-request protocol fields"). */
function statusOf(reply: Reply): number | undefined {
  if (reply.outcome !== 'error' || reply.isModern !== true) return undefined;
  return hopErrorIn(openReply(reply))?.kind === 'missing-capability' ? 400 : undefined;
}

function isAccepted(answer: Reply): boolean {
  const { frame, body } = openReply(answer);
  return stringAt(frame.text, lastMember(membersOf(frame.text, body), 'action')) === 'accept';
}
