import type { StoredMessage } from '../../../core/stores/chat-store.ts';

export interface HistoryBounds {
  readonly historyMessages: number;
  readonly historyCharacters: number;
}

/**
 * Returns the messages that are before one that is to be answered, oldest first: the newest ones that fit the bounds. Users'
 * messages that came later are left out: they are answered by themselves.
 */
export function historyBefore(
  message: StoredMessage,
  messages: readonly StoredMessage[],
  { historyMessages, historyCharacters }: HistoryBounds,
): StoredMessage[] {
  const before = messages.filter(({ seq, role }) => seq < message.seq || (role === 'assistant' && seq !== message.seq));
  const chosen: StoredMessage[] = [];
  let characters = 0;
  for (const one of before.toReversed().slice(0, historyMessages)) {
    characters += one.content.length;
    if (characters > historyCharacters) break;
    chosen.unshift(one);
  }
  return chosen;
}

/**
 * Returns a conversation as one text for an agent. It begins with words of the gateway, so that no message is taken for an option
 * or a command of the agent.
 */
export function promptText(history: readonly StoredMessage[], message: StoredMessage): string {
  const earlier = history.map(({ role, content }) => `[${role}]\n${content}`);
  const parts =
    earlier.length === 0
      ? [ALONE]
      : [WITH_HISTORY, 'Earlier messages, the oldest first:', ...earlier, 'The new message:'];
  return [...parts, message.content].join('\n\n');
}

const ALONE = 'Answer this message of a chat about the project in this folder:';
const WITH_HISTORY = 'Answer the last message of this chat about the project in this folder.';
