import type { ChatRole } from '../../../core/stores/chat-store.ts';
import type { CallContext } from '../../define.ts';
import type { Plan } from './plan.ts';

export interface ChatMessage {
  readonly role: ChatRole;
  readonly content: string;
  /** RFC 3339, UTC. */
  readonly timestamp: string;
  /** The client, model or program that wrote it, where that is known. */
  readonly author?: string;
}

export interface ChatSession {
  readonly id: string;
  readonly name: string;
  /** `answering` while the gateway produces an answer, `waiting` where the newest message is a user's, else `idle`. */
  readonly status: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
}

export interface SentMessage {
  readonly sent: true;
  /** The time at which it was stored; RFC 3339, UTC. */
  readonly timestamp: string;
  /** Absent if there was no answer in this call. */
  readonly reply?: ChatMessage;
  /** The reason why there is no answer, or a note on the answer. */
  readonly note?: string;
}

/**
 * The chats of projects. Every method with a context is about the project of the caller's folder and throws GatewayError when that is not known
 * or not open to the caller, and `IDE_SESSION_NOT_FOUND` for a session that is not there or of another project.
 */
export interface Chat {
  /** @throws GatewayError `INVALID_PARAMS` for a name that is blank or longer than 200 characters */
  create(name: string, context: CallContext): Promise<ChatSession>;
  /** Returns the newest sessions of the project, newest first; 500 at most. */
  list(context: CallContext): Promise<readonly ChatSession[]>;
  /**
   * Returns the newest messages, oldest first.
   * @param limit most messages; 100 if missing, never more than 1,000 or a mebi of characters
   */
  history(sessionId: string, limit: number | undefined, context: CallContext): Promise<readonly ChatMessage[]>;
  /**
   * Stores a message, then has it answered, or leaves it to other agents. An answer that fails is no error: `note` says why.
   * @param role `assistant` for a message that is an answer itself. If it is missing and the gateway answers nothing, a message
   *   by another author than that of the first one is an answer.
   * @throws GatewayError `INVALID_PARAMS` for a message that is blank or too long; the reason of the context's signal
   */
  send(sessionId: string, message: string, context: CallContext, role?: ChatRole): Promise<SentMessage>;
  /** Returns the plan of the project's newest checkpoint; `unknown` and no steps if there is none. */
  plan(sessionId: string, context: CallContext): Promise<Plan>;
  /** Returns whether there is a session of this id, in any project. */
  has(sessionId: string): Promise<boolean>;
  /**
   * Counts the sessions that were in use and the messages that were written since a time.
   * @param projects of these projects; of all where it is `undefined`
   * @param since in milliseconds since 1970
   */
  counts(projects: readonly string[] | undefined, since: number): Promise<{ sessions: number; messages: number }>;
  /** Breaks off what is being answered and waits until its end is stored. */
  stop(): Promise<void>;
}
