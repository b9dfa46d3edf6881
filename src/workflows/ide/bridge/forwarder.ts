import type { LiveFeed } from '../../../core/providers/live-feed.ts';
import type { Log } from '../../../telemetry/log.ts';
import { chatOf, type IncomingMessage, liveChannel } from './messages.ts';

/** The number of results of `isOwnChat` that are kept. */
const MAX_KNOWN = 1_000;

export interface ForwarderOptions {
  readonly live: LiveFeed;
  readonly log: Log;
  /** Returns whether the gateway itself has a chat session of this id. */
  readonly isOwnChat: (sessionId: string) => Promise<boolean>;
}

/** Hands the backend's messages to those who watch live output: one after the other, each when there is room for it. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #ownChats = new Map<string, boolean>();
  /** Messages that came while an earlier one waits. There are few: the connection is not read meanwhile. */
  #waiting: IncomingMessage[] = [];
  #work: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /** Returns `undefined` if there is room for more; otherwise resolves when there is. Never rejects. */
  take(message: IncomingMessage): Promise<void> | undefined {
    if (this.#work !== undefined) this.#waiting.push(message);
    else {
      const room = this.#handOn(message);
      this.#work = room && this.#goOn(room);
    }
    return this.#work;
  }

  /** Forgets what waits. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting = [];
  }

  async #goOn(room: Promise<void>): Promise<void> {
    await room;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) await this.#handOn(next);
    this.#work = undefined;
  }

  #handOn(message: IncomingMessage): Promise<void> | undefined {
    const chat = chatOf(message);
    const isOwn = chat === undefined ? false : this.#ownChats.get(chat);
    if (isOwn !== undefined) return this.#publish(message, isOwn);
    return this.#learn(chat!).then((found) => this.#publish(message, found));
  }

  #publish(message: IncomingMessage, isOwnChat: boolean): Promise<void> | undefined {
    if (this.#isStopped) return undefined;
    const channel = liveChannel(message, isOwnChat);
    return this.#options.live.publish({ channel, type: 'event', data: message.data ?? null });
  }

  /** A chat counts as the gateway's own if that cannot be found out. */
  async #learn(chat: string): Promise<boolean> {
    try {
      const isOwn = await this.#options.isOwnChat(chat);
      if (this.#ownChats.size >= MAX_KNOWN) this.#ownChats.clear();
      this.#ownChats.set(chat, isOwn);
      return isOwn;
    } catch (error) {
      this.#options.log.debug({ event: 'ide-bridge', error }, 'chat sessions of the gateway cannot be looked up');
      return true;
    }
  }
}
