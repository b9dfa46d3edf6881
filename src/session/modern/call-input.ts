import { GatewayError } from '../../core/errors.ts';
import { asObject } from '../../core/json/as-object.ts';
import type { ClientAsk, WithdrawAsk } from '../../core/providers/provider.ts';
import { missingCapability, requiredCapabilities } from '../../era/capabilities.ts';
import { inputRequiredResult } from '../../era/input-required.ts';
import { MODERN_ERRORS } from '../../era/modern/modern.ts';
import { digestOf } from '../../era/request-state.ts';
import { type ByteString, parsedBytes } from '../../wire/bytes.ts';
import type { CallText } from '../../wire/edits/call-text.ts';
import { lastMember, membersOf, stringAt } from '../../wire/lens.ts';
import type { RequestMessage } from '../../wire/message.ts';
import { errorReply, madeReply, openReply, type Reply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import { failureReply } from '../failure.ts';
import type { OpenRequest } from '../open-requests.ts';
import type { CallOutput, ModernRequest } from './call-output.ts';
import { CallQuestions } from './call-questions.ts';
import type { ParkedCall, Parking } from './parking.ts';

/** A call, as far as its input needs it. */
export interface AskingCall extends OpenRequest {
  readonly output: CallOutput;
  /** True if it is over. */
  readonly isOver: boolean;
  /** Sends the call to its provider once more. */
  start(): void;
  /** Answers, now or once the client is back. */
  answer(reply: Reply, status?: number): void;
  /** Answers without waiting for the provider, which is told to stop. */
  giveUp(reply: Reply, status?: number): void;
  onFailure(error: GatewayError): void;
  cancel(reason?: ByteString): void;
}

export interface CallInputOptions {
  readonly id: string;
  /** The client that alone may go on with the call. */
  readonly identity: string;
  /** The call as it came first. */
  readonly text: CallText;
  readonly parking: Parking<CallInput>;
}

/** Questions that come within this time of each other travel in one answer, in milliseconds. */
const SETTLE_MS = 15;

/**
 * The input that a modern call needs of its client. A question answers the open request, and the call is parked: the provider
 * goes on waiting, until the client calls again with the answer.
 */
export class CallInput implements ParkedCall {
  readonly call: AskingCall;
  readonly id: string;
  readonly identity: string;
  readonly #options: CallInputOptions;
  readonly #questions = new CallQuestions();
  #digest: string | undefined;
  #settling: NodeJS.Timeout | undefined;

  constructor(call: AskingCall, options: CallInputOptions) {
    this.call = call;
    this.id = options.id;
    this.identity = options.identity;
    this.#options = options;
  }

  /** The same for a request that calls the same. */
  get digest(): string {
    this.#digest ??= digestOf(this.identity, this.#options.text);
    return this.#digest;
  }

  /** Asks the client something for the provider; a client that cannot be asked that has its call given up. */
  ask(ask: ClientAsk): WithdrawAsk {
    const missing = missingIn(this.call, ask.message);
    if (missing !== undefined) {
      ask.onFailure(new GatewayError('CAPABILITY_MISSING', `The client does not support ${missing}`));
      this.#refuse(missing);
      return () => undefined;
    }
    const key = this.#questions.add(ask);
    this.#settle();
    return () => this.#questions.withdraw(key);
  }

  /** Has URLs visited, as a legacy server wants it, and then makes the same call once more. */
  askForUrls(urls: readonly RequestMessage[]): void {
    const missing = missingIn(this.call, urls[0]!);
    if (missing !== undefined) {
      this.#refuse(missing);
      return;
    }
    let waiting = urls.length;
    const accepted: boolean[] = [];
    const onAnswer = (answer: Reply) => {
      accepted.push(isAccepted(answer));
      if (--waiting === 0) this.#onVisited(accepted.every(Boolean));
    };
    for (const message of urls) this.#questions.add({ message, onAnswer, onFailure: () => undefined });
    this.#settle();
  }

  /** Returns the problem with the answers that a retry brings; `undefined` if there is none. */
  problemWith(text: Buffer, responses: ReadonlyMap<string, Span>): string | undefined {
    return this.#questions.problemWith(text, responses);
  }

  /**
   * Continues: the client calls again, with answers. Unanswered questions are asked again.
   */
  resume(request: ModernRequest, responses: ReadonlyMap<string, Span>): void {
    const { call } = this;
    this.#options.parking.leave(this);
    call.output.reopen(request);
    const isIncomplete = this.#questions.answer(request.text.message.frame.text, responses);
    // An answer may end the call, and it has been answered then.
    if (call.isOver) return;
    const { keptAnswer } = call.output;
    if (keptAnswer !== undefined) call.answer(keptAnswer);
    else if (isIncomplete) this.#park();
    else if (this.#questions.size > 0) this.#settle();
  }

  onGivenUp(reason: string): void {
    this.call.cancel(JSON.stringify(reason));
  }

  /** Gives up the place of a parked call, and asks nothing any more. */
  leave(): void {
    clearTimeout(this.#settling);
    this.#options.parking.leave(this);
  }

  /** Fails the questions that have no answer. */
  dropQuestions(): void {
    this.#questions.drop();
  }

  /** Waits a moment for other questions, then asks. A parked call asks when its client is back. */
  #settle(): void {
    const { call } = this;
    if (!call.output.isOpen) return;
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      if (!call.isOver && call.output.isOpen && this.#questions.size > 0) this.#park();
    }, SETTLE_MS);
  }

  /** Answers the open request with all questions that have no answer yet. */
  #park(): void {
    const { text, parking } = this.#options;
    const state = parking.park(this);
    if (state === undefined) {
      const problem = 'Too many calls wait for input of their clients';
      const error = new GatewayError('OVERLOADED', problem, { effect: 'unknown' });
      this.call.giveUp(failureReply(text.message.method, error));
      return;
    }
    const result = inputRequiredResult(this.#questions.send(), state);
    this.call.output.park({ ...madeReply('result', result), isModern: true });
  }

  #onVisited(isAccepted: boolean): void {
    // As the call came first: what the client has added since was for us.
    if (isAccepted) this.call.start();
    else
      this.call.onFailure(
        new GatewayError('CALL_CANCELLED', 'The user did not visit the URL that the server asks for'),
      );
  }

  /** The provider needs what this client has not declared. */
  #refuse(missing: string): void {
    this.call.giveUp(
      errorReply({
        code: MODERN_ERRORS.missingCapability,
        message: `The server needs the client capability ${missing}`,
        data: { requiredCapabilities: requiredCapabilities(missing) },
      }),
      400,
    );
  }
}

/** Returns the capability that a question needs and its client has not declared. */
function missingIn({ output }: AskingCall, question: RequestMessage): string | undefined {
  return missingCapability(question, asObject(parsedBytes(output.client.capabilities)));
}

function isAccepted(answer: Reply): boolean {
  const { frame, body } = openReply(answer);
  return stringAt(frame.text, lastMember(membersOf(frame.text, body), 'action')) === 'accept';
}
