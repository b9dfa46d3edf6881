import { z } from 'zod';
import { defineTool, type ToolDefinition } from '../../define.ts';
import { ADDS, READS } from '../../define-project-tool.ts';
import { askOrKnow } from './ask-backend.ts';
import { historyData, ofSession, planData, sessionsData } from './chat-answers.ts';
import { createSession, sendMessage } from './chat-changes.ts';
import { messageRecord, REMARKS, sessionRecord, stepRecord } from './records.ts';
import { bridgeFor, type Toolbox } from './toolbox.ts';

const MAX_ID = 256;
const MAX_NAME = 200;
const MAX_MESSAGE = 200_000;
const MAX_LIMIT = 1_000;
const USUAL_LIMIT = 100;

const notBlank = (text: string): boolean => text.trim() !== '';
const sessionId = z
  .string()
  .min(1)
  .max(MAX_ID)
  .describe('Id of the session, as ide_session_list and ide_session_create give it');
const OWN_CHAT = 'chat sessions of the gateway, of the project that you work in';

export function chatSendTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_chat_send',
    title: 'IDE chat: send',
    description:
      'Sends a message to a chat session. A configured model or agent answers it in `reply`; otherwise it waits until another agent reads the session with ide_chat_history and answers with ide_chat_send. To find out whether there is an answer, read the history again.',
    input: z.strictObject({
      sessionId,
      message: z.string().max(MAX_MESSAGE).refine(notBlank, { error: 'must not be blank' }).describe('Text to send'),
      role: z
        .enum(['user', 'assistant'])
        .optional()
        .describe(
          'assistant if the message answers one of another agent. If missing, and the gateway does not answer by itself, messages of the client that sent the first one are of the user, those of others of the assistant',
        ),
    }),
    output: z.object({
      sent: z.boolean(),
      sessionId: z.string(),
      timestamp: z.string().describe('When it was stored, or taken by the IDE backend; RFC 3339'),
      reply: messageRecord.optional().describe('The answer, if it came during this call'),
      note: z.string().optional().describe('Reason why there is no reply, or a note about the reply'),
      ...REMARKS,
    }),
    annotations: { ...ADDS, openWorldHint: true },
    audit: 'security',
    hasSecretArguments: true,
    run: (args, context) => sendMessage(toolbox, args, context),
  });
}

export function chatHistoryTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_chat_history',
    title: 'IDE chat: history',
    description: `Returns the newest messages of a chat session, the oldest of them first: ${USUAL_LIMIT} unless limit says otherwise. The author of a message is the client, model or agent that wrote it.`,
    input: z.strictObject({
      sessionId,
      limit: z
        .int()
        .min(0)
        .max(MAX_LIMIT)
        .optional()
        .describe(`Most messages to return; ${USUAL_LIMIT} if absent or 0`),
    }),
    output: z.object({ sessionId: z.string(), messages: z.array(messageRecord), ...REMARKS }),
    annotations: READS,
    audit: 'info',
    run: ({ sessionId: id, limit = 0 }, context) =>
      askOrKnow(
        bridgeFor(toolbox, context.client),
        {
          send: { type: 'chat_history', sessionId: id, data: { limit } },
          answer: { asked: 'chat_history', types: ['chat_history'], concerns: ofSession(id), data: historyData },
          toResult: ({ messages }) => ({ sessionId: id, messages: limit === 0 ? messages : messages.slice(-limit) }),
          placeholder: () => ({ sessionId: id, messages: [] }),
          own: async () => ({
            sessionId: id,
            messages: [...(await toolbox.chat.history(id, limit === 0 ? undefined : limit, context))],
          }),
          ownSources: { messages: OWN_CHAT },
        },
        context,
      ),
  });
}

export function sessionListTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_session_list',
    title: 'IDE chat: sessions',
    description:
      'Lists the chat sessions: those of the project that you work in, or of the IDE backend if there is one.',
    input: z.strictObject({}),
    output: z.object({ sessions: z.array(sessionRecord), ...REMARKS }),
    annotations: READS,
    audit: 'info',
    run: (_args, context) =>
      askOrKnow(
        bridgeFor(toolbox, context.client),
        {
          send: { type: 'session_list' },
          answer: { asked: 'session_list', types: ['session_list'], concerns: () => true, data: sessionsData },
          toResult: ({ sessions }) => ({ sessions }),
          placeholder: () => ({ sessions: [] }),
          own: async () => ({ sessions: [...(await toolbox.chat.list(context))] }),
          ownSources: { sessions: OWN_CHAT },
        },
        context,
      ),
  });
}

export function sessionCreateTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_session_create',
    title: 'IDE chat: new session',
    description: 'Creates a chat session. It belongs to the project that you work in.',
    input: z.strictObject({
      name: z.string().max(MAX_NAME).refine(notBlank, { error: 'must not be blank' }).describe('Name of the session'),
    }),
    output: z.object({ session: sessionRecord, ...REMARKS }),
    annotations: ADDS,
    audit: 'security',
    run: ({ name }, context) => createSession(toolbox, name, context),
  });
}

export function planStatusTool(toolbox: Toolbox): ToolDefinition {
  return defineTool({
    name: 'ide_plan_status',
    title: 'IDE chat: plan',
    description: 'Returns the plan that a chat session works on, and how far each step is.',
    input: z.strictObject({ sessionId }),
    output: z.object({ sessionId: z.string(), status: z.string(), steps: z.array(stepRecord), ...REMARKS }),
    annotations: READS,
    audit: 'info',
    run: ({ sessionId: id }, context) =>
      askOrKnow(
        bridgeFor(toolbox, context.client),
        {
          send: { type: 'plan_status', sessionId: id },
          answer: { asked: 'plan_status', types: ['plan_status'], concerns: ofSession(id), data: planData },
          toResult: ({ status, steps }) => ({ sessionId: id, status, steps }),
          placeholder: () => ({ sessionId: id, status: 'unknown', steps: [] }),
          own: async () => {
            const { status, steps } = await toolbox.chat.plan(id, context);
            return { sessionId: id, status, steps: steps.map((step) => ({ ...step })) };
          },
          ownSources: { status: PLAN, steps: PLAN },
        },
        context,
      ),
  });
}

const PLAN = 'checkpoint of the project that you work in';
