import { randomUUID } from 'node:crypto';
import type { ErrorCode, GatewayError } from '../../core/errors.ts';
import type { ProviderCall, WithdrawAsk } from '../../core/providers/provider.ts';
import { refusalWords } from '../../core/refusals/refusal-words.ts';
import { type InputAsk, type InputRequired, readInputRequired, retryEdits } from '../../era/input-rounds.ts';
import type { ByteString } from '../../wire/bytes.ts';
import type { Edit } from '../../wire/frame.ts';
import { rawText } from '../../wire/lens.ts';
import { openReply, type Reply, type ReplySource } from '../../wire/reply.ts';
import type { ElicitationIds } from '../events/asks/elicitation-ids.ts';
import { callError } from './call-errors.ts';

/** A server that is still not content then never will be. */
const MAX_ROUNDS = 8;

export interface RoundsHost {
  readonly upstream: string;
  readonly elicitations: ElicitationIds;
  readonly call: ProviderCall;
  /** Sends the call once more, with these edits besides those of every try. */
  resend(edits: readonly Edit[]): void;
  /** Ends the call. */
  fail(error: GatewayError): void;
}

/**
 * A legacy client's call of a modern server that asks things in its results: the client is asked as a legacy server
 * would have done, and the call made once more with its answers.
 */
export class InputRounds {
  readonly #host: RoundsHost;
  #count = 0;
  /** The questions of this round that are open. */
  #open = new Map<InputAsk, WithdrawAsk>();

  constructor(host: RoundsHost) {
    this.#host = host;
  }

  /** Takes an answer that has questions: asks the client, or sends the call again at once if there are none. */
  begin(source: ReplySource): void {
    const { call, upstream } = this.#host;
    const required = readInputRequired(source, randomUUID);
    if ('problem' in required) this.#fail('UPSTREAM_INVALID_ANSWER', `invalid answer: ${required.problem}`);
    else if (++this.#count > MAX_ROUNDS) {
      this.#fail('UPSTREAM_INVALID_ANSWER', `it still asks for input after ${MAX_ROUNDS} rounds`);
    } else if (required.asks.length === 0) this.#host.resend(retryEdits(call.text, required, []));
    else this.#askAll(required, upstream);
  }

  /** The call is over: the answers are no longer needed. */
  withdraw(reason: string): void {
    const open = this.#open;
    this.#open = new Map();
    for (const withdraw of open.values()) withdraw(reason);
  }

  #askAll(required: InputRequired, upstream: string): void {
    const { call } = this.#host;
    const answers = new Map<InputAsk, ByteString>();
    const round = new Map<InputAsk, WithdrawAsk>(required.asks.map((ask) => [ask, () => undefined]));
    this.#open = round;
    const onAnswer = (ask: InputAsk, reply: Reply) => {
      if (!round.delete(ask)) return;
      if (reply.outcome === 'error') {
        this.#fail('INPUT_REFUSED', `the client answered ${ask.message.method} with an error: ${refusalWords(reply)}`);
        return;
      }
      answers.set(ask, resultIn(reply));
      if (round.size > 0) return;
      const inOrder = required.asks.map((each) => answers.get(each)!);
      this.#host.resend(retryEdits(call.text, required, inOrder));
    };
    for (const ask of required.asks) {
      const problem = this.#host.elicitations.problemOf(ask.message);
      if (problem !== undefined) {
        this.#fail('UPSTREAM_INVALID_ANSWER', `invalid answer: ${problem}`);
        return;
      }
      const withdraw = call.caller.ask({
        message: this.#host.elicitations.question(ask.message, call.caller.sessionId),
        onAnswer: (reply) => onAnswer(ask, reply),
        onFailure: (error) => {
          if (round.delete(ask)) this.#fail(error.code, `it asks for ${ask.message.method}. ${error.message}`);
        },
        // A modern server has no request of its own of which progress could be told.
        onProgress: () => undefined,
      });
      // The call may be over already: because this client cannot be asked, say.
      if (this.#open !== round) withdraw(`${upstream} has no use for it any more`);
      else if (round.has(ask)) round.set(ask, withdraw);
      if (this.#open !== round) return;
    }
  }

  #fail(code: ErrorCode, text: string): void {
    this.#host.fail(callError(this.#host.upstream, code, text, 'unknown'));
  }
}

function resultIn(reply: Reply): ByteString {
  const { frame, body } = openReply(reply);
  return rawText(frame.text, body);
}
