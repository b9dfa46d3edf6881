/** Bounds of what the store takes and returns. Texts are counted in UTF-16 units. */
export const CHAT_LIMITS = {
  name: 200,
  message: 262_144,
  author: 200,
  /** Most sessions of one list. */
  sessions: 500,
  /** Most messages of one read, and most units of their texts together. The newest message is read regardless of its length. */
  messages: 1_000,
  readUnits: 1_048_576,
} as const;

export type ChatRole = 'user' | 'assistant';

export interface StoredMessage {
  /** Higher for each later message of a session. */
  readonly seq: number;
  readonly role: ChatRole;
  readonly content: string;
  /** The client, model or agent that wrote it, where that is known. */
  readonly author: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export type NewMessage = Pick<StoredMessage, 'role' | 'content' | 'author'>;

export interface StoredSession {
  /** A uuid in small letters. */
  readonly id: string;
  readonly projectId: string;
  readonly name: string;
  /** Milliseconds since 1970, as `updatedAt`, the time of its last message. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The gateway that produces an answer, by its own name, and the time of its last sign of life; `undefined` while none does. */
  readonly answering: { readonly by: string; readonly at: number } | undefined;
  /** Role of the newest message; `undefined` while there is none. */
  readonly lastRole: ChatRole | undefined;
}

export interface ChatCounts {
  /** Sessions that were created or got a message in the period. */
  readonly sessions: number;
  readonly messages: number;
}

/** Returns whether the gateway that answers a session is gone, by its own name and the time of its last sign of life. */
export type IsGone = (answerer: string, atMs: number) => boolean;

/** The conversations of all projects, shared by any number of gateway processes. */
export interface ChatStore {
  create(session: { readonly projectId: string; readonly name: string }): Promise<StoredSession>;
  /** `undefined` if there is none. */
  get(id: string): Promise<StoredSession | undefined>;
  /** Returns the newest sessions of a project, newest first. */
  list(projectId: string): Promise<readonly StoredSession[]>;
  /** Adds a message behind all others of its session. `undefined` if there is no such session. */
  add(sessionId: string, message: NewMessage): Promise<StoredMessage | undefined>;
  /** Returns the newest messages of a session, at most `limit` and at most `units` of text, oldest first. */
  messages(sessionId: string, bounds?: { readonly limit?: number; readonly units?: number }): Promise<StoredMessage[]>;
  /** Returns whether a session has no message yet, or its first one is by this author. */
  isOpenedBy(sessionId: string, author: string | undefined): Promise<boolean>;
  /** Counts what happened since a time, in milliseconds since 1970; of all projects where `projects` is `undefined`. */
  counts(projects: readonly string[] | undefined, since: number): Promise<ChatCounts>;
  /**
   * Makes `answerer` the one that answers a session, if it has no answerer, or if `isGone` says that the current one is gone.
   * @returns whether it is the one now
   */
  take(sessionId: string, answerer: string, isGone: IsGone): Promise<boolean>;
  /** Gives a sign of life of who answers. */
  keep(sessionId: string, answerer: string): Promise<void>;
  /** Ends its answering; harmless if another process answers by now. */
  release(sessionId: string, answerer: string): Promise<void>;
  /** Waits for what is under way. */
  close(): Promise<void>;
}
