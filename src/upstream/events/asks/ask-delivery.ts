import type { GatewayError } from '../../../core/errors.ts';
import type { AskTarget } from '../../../core/providers/provider.ts';
import type { ByteString } from '../../../wire/bytes.ts';
import { edit, findProgressToken } from '../../../wire/edits/call-text.ts';
import { rawText } from '../../../wire/lens.ts';
import { paramsOf, type RequestMessage } from '../../../wire/message.ts';
import { type ErrorBody, errorReply, type Reply } from '../../../wire/reply.ts';
import type { Link } from '../../connection/link.ts';
import type { ElicitationIds } from './elicitation-ids.ts';
import type { OpenAsk } from './open-ask.ts';
import type { OpenAsks } from './open-asks.ts';

/** Brings questions to clients and their answers to the upstream. */
export class AskDelivery {
  readonly #open: OpenAsks;
  readonly #elicitations: ElicitationIds;
  readonly #judgeAgain: (ask: OpenAsk) => void;
  #link: Link | undefined;

  /** @param judgeAgain takes a question that was not the one of the client that had it */
  constructor(open: OpenAsks, elicitations: ElicitationIds, judgeAgain: (ask: OpenAsk) => void) {
    this.#open = open;
    this.#elicitations = elicitations;
    this.#judgeAgain = judgeAgain;
  }

  attach(link: Link): void {
    this.#link = link;
  }

  /** The connection is gone: clients are told that their answers are no longer needed. */
  detach(reason: string): void {
    this.#link = undefined;
    for (const ask of this.#open.takeAll()) ask.close()?.(reason);
  }

  /** Returns whether a request of ours to the upstream waits for its answer. */
  isPending(requestId: number): boolean {
    return this.#link?.pending.waiterOf(requestId) !== undefined;
  }

  /** Gives a question to a client. What it answers goes to the upstream. */
  give(ask: OpenAsk, target: AskTarget): void {
    const { task, message } = ask;
    const turn = ask.beginTurn();
    const withdraw = target.ask({
      message: this.#elicitations.question(task?.message ?? message, target.sessionId),
      onAnswer: (answer) => this.answer(message.id, task?.toOwn(answer) ?? answer),
      onFailure: (error) => {
        if (!this.#isGivenOn(ask, error)) this.answer(message.id, errorReply(bodyOf(error)));
      },
      onProgress: (frame, token) => {
        const original = progressTokenOf(message);
        if (original !== undefined) this.#link?.outbox.relay(frame.splice([edit(token, original)]));
      },
    });
    // A client that cannot be asked has failed already, and perhaps another one was asked.
    if (!this.#open.isOpen(ask) || !ask.isTurn(turn)) return;
    ask.onGiven(withdraw);
    this.#elicitations.onAsked(message, target.sessionId);
  }

  /** Answers a question, where it is still open. */
  answer(id: ByteString, reply: Reply): void {
    const ask = this.#open.take(id);
    if (ask === undefined) return;
    ask.close();
    this.#link?.outbox.answer(id, reply);
  }

  /** Answers a question with an error that says why no client is asked. */
  refuse({ message }: OpenAsk, reason: string): void {
    this.answer(message.id, errorReply({ code: -32601, message: `${message.method}: ${reason}` }));
  }

  /** Answers a request that never became an open question. */
  reject(message: RequestMessage, error: ErrorBody): void {
    this.#link?.outbox.answer(message.id, errorReply(error));
  }

  /** The upstream has taken a question back. */
  withdraw(id: ByteString): void {
    this.#open.take(id)?.close()?.('cancelled by the upstream');
  }

  /** The call that was asked is over, so the question was another's. Returns false if it belonged to no other client. */
  #isGivenOn(ask: OpenAsk, { code }: GatewayError): boolean {
    if (code !== 'CALL_CANCELLED' || ask.suspects.size === 0 || !this.#open.isOpen(ask)) return false;
    ask.close();
    this.#judgeAgain(ask);
    return true;
  }
}

function bodyOf(error: GatewayError): ErrorBody {
  return { code: error.facts.jsonRpc, message: error.message };
}

/** Returns the upstream's own token for progress, as it spelt it. */
function progressTokenOf(message: RequestMessage): ByteString | undefined {
  const { frame } = message;
  const token = findProgressToken(frame, paramsOf(message));
  return token === undefined ? undefined : rawText(frame.text, token);
}
