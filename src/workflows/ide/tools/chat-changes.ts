import { GatewayError } from '../../../core/errors.ts';
import { at } from '../../../services/service-words.ts';
import type { CallContext } from '../../define.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { OutgoingMessage } from '../bridge/messages.ts';
import type { ChatMessage, ChatSession } from '../chat/chat.ts';
import { pendingRemarks, type Remarks } from './ask-backend.ts';
import { type Answer, answers, readAnswer } from './backend-answer.ts';
import { ofSession, sentData, sessionData } from './chat-answers.ts';
import { bridgeFor, type Toolbox } from './toolbox.ts';

interface Letter {
  readonly sessionId: string;
  readonly message: string;
  readonly role?: ChatMessage['role'] | undefined;
}

interface Sent extends Remarks {
  readonly sent: boolean;
  readonly sessionId: string;
  readonly timestamp: string;
  readonly reply?: ChatMessage;
  readonly note?: string;
}

/**
 * Sends a chat message to the IDE backend, or to the gateway's own sessions where the client has no backend.
 * @throws GatewayError `IDE_OFFLINE` when the backend is not connected, `IDE_FAILED` when it refuses; what `Chat` throws
 */
export async function sendMessage(toolbox: Toolbox, letter: Letter, context: CallContext): Promise<Sent> {
  const bridge = bridgeFor(toolbox, context.client);
  const { sessionId, message, role } = letter;
  if (bridge === undefined) return { sessionId, ...(await toolbox.chat.send(sessionId, message, context, role)) };
  if (role === 'assistant') throw new GatewayError('INVALID_PARAMS', USERS_ONLY, { effect: 'none' });
  return sendByBridge(bridge, letter, context);
}

async function sendByBridge(bridge: Bridge, { sessionId, message }: Letter, context: CallContext): Promise<Sent> {
  const send: OutgoingMessage = { type: 'chat_send', channel: `chat:${sessionId}`, sessionId, data: message };
  const answer: Answer<SentData> = {
    asked: 'chat_send',
    types: ['chat_sent', 'chat_message'],
    // Other people's messages to the same session are no answer.
    concerns: (found) => ofSession(sessionId)(found) && at(found.data, 'role') !== 'user',
    data: sentData,
  };
  const now = new Date().toISOString();
  const found = await bridge.ask(send, (one) => answers(answer, one), context.signal);
  if (found === undefined) return { sent: true, sessionId, timestamp: now, ...pendingRemarks(bridge, send) };
  const { timestamp = now, content } = readAnswer(answer, found);
  if (content === undefined) return { sent: true, sessionId, timestamp, note: COMES_LATER(sessionId) };
  return { sent: true, sessionId, timestamp: now, reply: { role: 'assistant', content, timestamp } };
}

const USERS_ONLY = 'The IDE backend takes only messages of users: send this one without role';

type SentData = ReturnType<typeof sentData.parse>;

const COMES_LATER = (sessionId: string): string =>
  `The IDE backend has taken the message. The reply comes on the channel chat:${sessionId} of the live output, and is in ide_chat_history then`;

/**
 * Creates a session in the IDE backend, or one of the gateway's own where the client has no backend.
 * @throws GatewayError `IDE_OFFLINE` when the backend is not connected, `IDE_FAILED` when it refuses; what `Chat` throws
 */
export async function createSession(
  toolbox: Toolbox,
  name: string,
  context: CallContext,
): Promise<Remarks & { readonly session: ChatSession }> {
  const bridge = bridgeFor(toolbox, context.client);
  if (bridge === undefined) return { session: await toolbox.chat.create(name, context) };
  const send: OutgoingMessage = { type: 'session_create', data: { name } };
  const answer = {
    asked: 'session_create',
    types: ['session_created'],
    concerns: (found) => at(at(found.data, 'session') ?? found.data, 'name') === name,
    data: sessionData,
  } satisfies Answer<{ session: ChatSession }>;
  const found = await bridge.ask(send, (one) => answers(answer, one), context.signal);
  if (found !== undefined) return readAnswer(answer, found);
  const session = { id: '', name, status: 'creating', createdAt: new Date().toISOString() };
  return { session, ...pendingRemarks(bridge, { type: 'session_created' }) };
}
