import { z } from 'zod';
import { at } from '../../../services/service-words.ts';
import type { IncomingMessage } from '../bridge/messages.ts';
import { backendTime, listOf } from './backend-answer.ts';
import { messageRecord, sessionRecord, stepRecord } from './records.ts';

/** Messages about one session. */
export const ofSession =
  (sessionId: string) =>
  (message: IncomingMessage): boolean =>
    message.sessionId === sessionId || at(message.data, 'sessionId') === sessionId;

/** Data of `chat_sent`, or of a `chat_message` that is the reply itself. */
export const sentData = z.object({
  timestamp: backendTime,
  role: z.enum(['user', 'assistant']).optional(),
  content: z.string().optional(),
});

export const historyData = z.object({ messages: listOf(messageRecord) });
export const sessionsData = z.object({ sessions: listOf(sessionRecord) });
export const sessionData = z.object({ session: sessionRecord });
export const planData = z.object({ status: z.string(), steps: listOf(stepRecord) });
