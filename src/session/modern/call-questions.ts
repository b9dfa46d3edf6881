import { GatewayError } from '../../core/errors.ts';
import type { ClientAsk } from '../../core/providers/provider.ts';
import { responseProblem } from '../../era/input-required.ts';
import type { RequestMessage } from '../../wire/message.ts';
import { madeReply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';

export type Question = Pick<ClientAsk, 'message' | 'onAnswer' | 'onFailure'>;

/** Questions of one call that have no answer yet, by the keys under which its client gets them. */
export class CallQuestions {
  readonly #questions = new Map<string, { readonly question: Question; isSent: boolean }>();
  #next = 1;

  get size(): number {
    return this.#questions.size;
  }

  /** Adds a question that is not sent yet, and returns its key. */
  add(question: Question): string {
    const key = `question-${this.#next++}`;
    this.#questions.set(key, { question, isSent: false });
    return key;
  }

  /** Takes back a question; its answer is ignored, should it come. */
  withdraw(key: string): void {
    this.#questions.delete(key);
  }

  /** Returns all questions, for an answer that has them: from now on they count as sent. */
  send(): ReadonlyMap<string, RequestMessage> {
    for (const entry of this.#questions.values()) entry.isSent = true;
    return new Map([...this.#questions].map(([key, { question }]) => [key, question.message]));
  }

  /** Returns the problem with the answers that a retry brings; `undefined` if there is none. */
  problemWith(text: Buffer, responses: ReadonlyMap<string, Span>): string | undefined {
    for (const [key, { question }] of this.#questions) {
      const response = responses.get(key);
      const problem = response === undefined ? undefined : responseProblem(question.message, text, response);
      if (problem !== undefined)
        return `"params.inputResponses" has no answer under ${JSON.stringify(key)}: ${problem}`;
    }
    return undefined;
  }

  /**
   * Gives the questions that were sent their answers. Unexpected answers are ignored.
   * @returns whether a question that was sent is still without an answer
   */
  answer(text: Buffer, responses: ReadonlyMap<string, Span>): boolean {
    let isIncomplete = false;
    for (const [key, { question, isSent }] of this.#questions) {
      if (!isSent) continue;
      const response = responses.get(key);
      if (response === undefined) {
        isIncomplete = true;
        continue;
      }
      this.#questions.delete(key);
      question.onAnswer(madeReply('result', [text.subarray(response.start, response.end)]));
    }
    return isIncomplete;
  }

  /** Fails all questions. Their sender may ask another call: if several are open, the questions may belong to one of those. */
  drop(): void {
    const questions = [...this.#questions.values()];
    this.#questions.clear();
    for (const { question } of questions) question.onFailure(new GatewayError('CALL_CANCELLED', 'The call has ended'));
  }
}
