import type {
  ChatCounts,
  ChatStore,
  IsGone,
  NewMessage,
  StoredMessage,
  StoredSession,
} from '../../core/stores/chat-store.ts';
import type { Database } from '../database/database.ts';
import type { Engine } from '../database/engine.ts';
import { UnderWay } from '../database/under-way.ts';

/** The statements come with the builder of queries, which a gateway does not need before the first call. */
const sessions = () => import('./session-rows.ts');
const messages = () => import('./message-rows.ts');

/** Returns the chats in a database. Closing the store leaves the database open: it belongs to the caller. */
export function openChatStore(database: Database): ChatStore {
  return new DatabaseChats(database);
}

class DatabaseChats implements ChatStore {
  readonly #database: Database;
  readonly #underWay = new UnderWay();

  constructor(database: Database) {
    this.#database = database;
  }

  create(session: Pick<StoredSession, 'projectId' | 'name'>): Promise<StoredSession> {
    return this.#run(async (engine) => (await sessions()).createSession(engine, session));
  }

  get(id: string): Promise<StoredSession | undefined> {
    return this.#run(async (engine) => (await sessions()).readSession(engine, id));
  }

  list(projectId: string): Promise<readonly StoredSession[]> {
    return this.#run(async (engine) => (await sessions()).readSessions(engine, projectId));
  }

  add(sessionId: string, message: NewMessage): Promise<StoredMessage | undefined> {
    return this.#run(async (engine) => (await messages()).addMessage(engine, sessionId, message));
  }

  messages(sessionId: string, bounds: { limit?: number; units?: number } = {}): Promise<StoredMessage[]> {
    return this.#run(async (engine) => (await messages()).readMessages(engine, sessionId, bounds));
  }

  isOpenedBy(sessionId: string, author: string | undefined): Promise<boolean> {
    return this.#run(async (engine) => (await messages()).isOpenedBy(engine, sessionId, author));
  }

  counts(projects: readonly string[] | undefined, since: number): Promise<ChatCounts> {
    return this.#run(async (engine) => (await messages()).countSince(engine, projects, since));
  }

  take(sessionId: string, answerer: string, isGone: IsGone): Promise<boolean> {
    return this.#run(async (engine) => (await sessions()).takeSession(engine, { sessionId, answerer }, isGone));
  }

  keep(sessionId: string, answerer: string): Promise<void> {
    return this.#run(async (engine) => (await sessions()).keepSession(engine, { sessionId, answerer }));
  }

  release(sessionId: string, answerer: string): Promise<void> {
    return this.#run(async (engine) => (await sessions()).releaseSession(engine, { sessionId, answerer }));
  }

  close(): Promise<void> {
    return this.#underWay.end();
  }

  #run<T>(work: (engine: Engine) => Promise<T>): Promise<T> {
    return this.#underWay.add(this.#database.run(work));
  }
}
