import { GatewayError } from '../../../core/errors.ts';
import type { LiveFeed } from '../../../core/providers/live-feed.ts';
import type { ChatStore, StoredMessage } from '../../../core/stores/chat-store.ts';
import type { ChatMessage } from './chat.ts';

export interface MessageLogOptions {
  readonly store: Pick<ChatStore, 'add'>;
  readonly live: Pick<LiveFeed, 'publish'>;
  /** Tells whether the channel of a chat carries the texts of its messages. */
  readonly liveText: boolean;
}

/** Stores the messages of chats, and tells those who watch a chat what happens in it. */
export class MessageLog {
  readonly #options: MessageLogOptions;

  constructor(options: MessageLogOptions) {
    this.#options = options;
  }

  /**
   * Stores a message and reports it.
   * @throws GatewayError `IDE_SESSION_NOT_FOUND` when the session is not there any more
   */
  async add(sessionId: string, message: Pick<StoredMessage, 'role' | 'content' | 'author'>): Promise<StoredMessage> {
    const { store, liveText } = this.#options;
    const stored = (await store.add(sessionId, message)) ?? notFound();
    const { content, ...facts } = toMessage(stored);
    this.tell(sessionId, { event: 'message', ...facts, ...(liveText && { content }) });
    return stored;
  }

  /** Tells those who watch a chat. */
  tell(sessionId: string, data: object): void {
    void this.#options.live.publish({ channel: `chat:${sessionId}`, type: 'event', data: { sessionId, ...data } });
  }
}

/** @throws GatewayError `IDE_SESSION_NOT_FOUND` always */
export function notFound(): never {
  const message = 'There is no such chat session in the project that you work in. ide_session_list lists its sessions';
  throw new GatewayError('IDE_SESSION_NOT_FOUND', message, { effect: 'none' });
}

/** Returns a stored message as clients see it. */
export function toMessage({ role, content, author, at }: StoredMessage): ChatMessage {
  return { role, content, timestamp: timeText(at), ...(author !== undefined && { author }) };
}

/** Returns a time in RFC 3339, UTC. */
export function timeText(at: number): string {
  return new Date(at).toISOString();
}
