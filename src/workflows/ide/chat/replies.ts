import { GatewayError } from '../../../core/errors.ts';
import {
  CHAT_LIMITS,
  type ChatStore,
  type StoredMessage,
  type StoredSession,
} from '../../../core/stores/chat-store.ts';
import { cleanText } from '../../../core/text/clean-text.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { CallContext } from '../../define.ts';
import type { Project } from '../../project-of.ts';
import type { Answer, Answerer } from './answerer.ts';
import { Answering } from './answering.ts';
import type { SentMessage } from './chat.ts';
import { type MessageLog, toMessage } from './message-log.ts';
import { withoutSecrets } from './message-text.ts';
import type { ChatOptions } from './options.ts';

/** Messages of users that came while one waits for its answer: they are read, too, and left out. */
const LATER_MESSAGES = 50;

/** A session, and the project of the caller that it belongs to. */
export interface ProjectSession {
  readonly session: StoredSession;
  readonly project: Project;
}

/** A message that was stored, and the call that has brought it. */
export interface Sent extends ProjectSession {
  readonly message: StoredMessage;
  readonly context: CallContext;
}

export interface RepliesOptions {
  readonly options: Pick<ChatOptions, 'redaction'>;
  readonly store: ChatStore;
  readonly messages: MessageLog;
  readonly log: Log;
}

/** Has messages answered, and stores the answers. */
export class Replies {
  readonly #given: RepliesOptions;
  readonly #answering: Answering;
  readonly #stop = new AbortController();

  constructor(given: RepliesOptions) {
    this.#given = given;
    const onKept = (error: unknown) => given.log.warn({ error }, 'a chat counts as being answered for another minute');
    this.#answering = new Answering(given.store, onKept);
  }

  /**
   * Has a message answered. Stores the answer whether its caller is still there or not.
   * @returns the stored answer, or why there is none
   */
  async to(sent: Sent, answerer: Answerer): Promise<Pick<SentMessage, 'reply' | 'note'>> {
    const refusal = await failureOf(answerer.requireFor?.(sent.context.client));
    if (refusal !== undefined) return unanswered(refusal);
    const { id } = sent.session;
    const signal = AbortSignal.any([sent.context.signal, this.#stop.signal]);
    return this.#answering.run(id, signal, async () => {
      this.#given.messages.tell(id, { event: 'answering' });
      const answer = await this.#ask(answerer, sent, signal);
      return answer instanceof GatewayError ? unanswered(answer) : this.#store(id, answer);
    });
  }

  /** Breaks off what is being answered. */
  stop(): void {
    this.#stop.abort(new GatewayError('CALL_CANCELLED', STOPPED));
  }

  async #store(id: string, answer: Answer): Promise<Pick<SentMessage, 'reply' | 'note'>> {
    const { options, messages } = this.#given;
    const content = withoutSecrets(cleanText(answer.text), options);
    if (content.trim() === '') return unanswered(new GatewayError('MODEL_FAILED', NOTHING_READABLE));
    const reply = await messages.add(id, { role: 'assistant', content, author: answer.author });
    const note = content.length > CHAT_LIMITS.message ? TOO_LONG : answer.note;
    return { reply: toMessage(reply), ...(note !== undefined && { note }) };
  }

  /** Returns the answer, or why there is none. */
  async #ask(
    answerer: Answerer,
    { session, project, message, context }: Sent,
    signal: AbortSignal,
  ): Promise<Answer | GatewayError> {
    const { historyMessages, historyCharacters } = answerer.bounds;
    const messages = await this.#given.store.messages(session.id, {
      limit: historyMessages + LATER_MESSAGES,
      units: historyCharacters + CHAT_LIMITS.message,
    });
    try {
      const folder = project.root ?? '.';
      return await answerer.answer({ sessionId: session.id, folder, message, messages, context, signal });
    } catch (error) {
      this.#given.messages.tell(session.id, { event: 'unanswered' });
      signal.throwIfAborted();
      if (error instanceof GatewayError) return error;
      throw error;
    }
  }
}

const TOO_LONG = `The answer is longer than ${CHAT_LIMITS.message} characters: the rest of it is left out`;
const STOPPED =
  'The gateway stops, or has got another config: the message is stored, but its answer was broken off. Send another one';
const NOTHING_READABLE = 'The answer has no readable text. Send the message again';

function unanswered({ message }: GatewayError): { readonly note: string } {
  return { note: `Nobody has answered; the message is stored. ${message}` };
}

async function failureOf(work: Promise<void> | undefined): Promise<GatewayError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}
