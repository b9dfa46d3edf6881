import type { CallContext } from '../../define.ts';

export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  /** RFC 3339. */
  readonly timestamp: string;
  readonly author?: string;
}

export interface ChatSession {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

/**
 * Conversations of projects. Every method uses the project of the caller's folder and refuses sessions of other projects with
 * `IDE_SESSION_NOT_FOUND`.
 */
export interface Chat {
  create(name: string, context: CallContext): Promise<ChatSession>;
  list(context: CallContext): Promise<readonly ChatSession[]>;
  /** Returns the newest `limit` messages, the oldest of them first. */
  history(sessionId: string, limit: number | undefined, context: CallContext): Promise<readonly ChatMessage[]>;
  /**
   * Stores the message first; then the answer is generated (model, agent) or left for another agent. `reply` is absent if nobody
   * answers in this call.
   */
  send(
    sessionId: string,
    message: string,
    context: CallContext,
  ): Promise<{ sent: true; timestamp: string; reply?: ChatMessage; note?: string }>;
  /** Returns the plan of the project's checkpoint. */
  plan(
    sessionId: string,
    context: CallContext,
  ): Promise<{ status: string; steps: readonly { name: string; status: string }[] }>;
  /** Counts for the dashboard, from `since` on in milliseconds since 1970; `projects` undefined for all projects. */
  counts(projects: readonly string[] | undefined, since: number): Promise<{ sessions: number; messages: number }>;
  stop(): Promise<void>;
}
