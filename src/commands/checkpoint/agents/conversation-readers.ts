import type { ConversationFormat } from '../../../agents/agent.ts';
import type { ExtractedConversation } from '../../../workflows/checkpoint/adapters/extract/conversation.ts';

/** A conversation to read. */
export interface ConversationQuestion {
  /** The folder in which the agent keeps conversations. */
  readonly state: string;
  /** The folder of the project. */
  readonly project: string;
  /** The number of turns of the conversation to take. */
  readonly keep: number;
  /** File of the session, if the agent has one for each session; otherwise the newest of the project. */
  readonly transcript: string | undefined;
}

type ReadConversation = (question: ConversationQuestion) => Promise<ExtractedConversation | undefined>;

/** Readers of the formats in which agents keep conversations. Each is loaded when it is needed. */
export const CONVERSATION_READERS: Readonly<Record<ConversationFormat, ReadConversation>> = {
  'claude-session': async (question) => (await import('./read-claude.ts')).readClaudeConversation(question),
  'cursor-state': async (question) => (await import('./read-cursor.ts')).readCursorConversation(question),
};
