import type { ConversationFormat } from '../../../agents/agent.ts';
import type { ExtractedConversation } from '../../../workflows/checkpoint/adapters/extract/conversation.ts';
import type { ConversationQuestion } from './conversation-question.ts';

type ReadConversation = (question: ConversationQuestion) => Promise<ExtractedConversation | undefined>;

/** Readers of the formats in which agents keep conversations. Each is loaded when it is needed. */
export const CONVERSATION_READERS: Readonly<Record<ConversationFormat, ReadConversation>> = {
  'claude-session': async (question) => (await import('./read-claude.ts')).readClaudeConversation(question),
  'cursor-state': async (question) => (await import('./read-cursor.ts')).readCursorConversation(question),
};
