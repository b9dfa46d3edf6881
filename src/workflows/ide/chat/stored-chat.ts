import { isGone } from '../../../core/processes/owner.ts';
import type { LiveFeed } from '../../../core/providers/live-feed.ts';
import { CHAT_LIMITS, type ChatRole, type ChatStore, type StoredSession } from '../../../core/stores/chat-store.ts';
import type { CheckpointStore } from '../../../core/stores/checkpoint-store.ts';
import { cleanText } from '../../../core/text/clean-text.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { CallContext } from '../../define.ts';
import { type Project, projectOf } from '../../project-of.ts';
import type { Answerer } from './answerer.ts';
import type { Chat, ChatMessage, ChatSession, SentMessage } from './chat.ts';
import { MessageLog, notFound, timeText, toMessage } from './message-log.ts';
import { checkedText, invalid } from './message-text.ts';
import type { ChatOptions } from './options.ts';
import { type Plan, planIn } from './plan.ts';
import { type ProjectSession, Replies } from './replies.ts';

const USUAL_HISTORY = 100;

export interface StoredChatOptions {
  readonly options: ChatOptions;
  readonly store: ChatStore;
  readonly checkpoints: CheckpointStore;
  readonly live: LiveFeed;
  readonly log: Log;
  /** Absent if messages are left to other agents. */
  readonly answerer: Answerer | undefined;
}

/** A message as a client gave it. */
interface Letter {
  readonly sessionId: string;
  readonly message: string;
  readonly role: ChatRole | undefined;
}

/** The chats of a store. */
export class StoredChat implements Chat {
  readonly #given: StoredChatOptions;
  readonly #messages: MessageLog;
  readonly #replies: Replies;
  readonly #sending = new Set<Promise<unknown>>();

  constructor(given: StoredChatOptions) {
    this.#given = given;
    this.#messages = new MessageLog({ ...given, liveText: given.options.liveText });
    this.#replies = new Replies({ ...given, messages: this.#messages });
  }

  async create(name: string, context: CallContext): Promise<ChatSession> {
    const text = checkedText('name', name, CHAT_LIMITS.name, this.#given.options);
    const { id: projectId } = await this.#project(context);
    return toSession(await this.#given.store.create({ projectId, name: text }));
  }

  async list(context: CallContext): Promise<readonly ChatSession[]> {
    const { id } = await this.#project(context);
    return (await this.#given.store.list(id)).map(toSession);
  }

  async history(sessionId: string, limit: number | undefined, context: CallContext): Promise<readonly ChatMessage[]> {
    const { session } = await this.#find(sessionId, context);
    return (await this.#given.store.messages(session.id, { limit: limit ?? USUAL_HISTORY })).map(toMessage);
  }

  send(sessionId: string, message: string, context: CallContext, role?: ChatRole): Promise<SentMessage> {
    const sending = this.#send({ sessionId, message, role }, context).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
    return sending;
  }

  async plan(sessionId: string, context: CallContext): Promise<Plan> {
    const { project } = await this.#find(sessionId, context);
    return planIn((await this.#given.checkpoints.load(project.id))?.bundle);
  }

  async has(sessionId: string): Promise<boolean> {
    return (await this.#given.store.get(sessionId)) !== undefined;
  }

  counts(projects: readonly string[] | undefined, since: number): Promise<{ sessions: number; messages: number }> {
    return this.#given.store.counts(projects, since);
  }

  async stop(): Promise<void> {
    this.#replies.stop();
    await Promise.allSettled(this.#sending);
    await Promise.all([this.#given.store.close(), this.#given.checkpoints.close()]);
  }

  async #send({ sessionId, message, role: given }: Letter, context: CallContext): Promise<SentMessage> {
    const { answerer, options } = this.#given;
    const text = checkedText('message', message, options.messageCharacters, options);
    const place = await this.#find(sessionId, context);
    const author = context.client.name && cleanText(context.client.name);
    const role = given ?? (await this.#roleOf(place.session.id, author));
    const stored = await this.#messages.add(place.session.id, { role, content: text, author });
    const sent = { sent: true, timestamp: timeText(stored.at) } as const;
    if (role === 'assistant') return { ...sent, note: STORED };
    if (answerer === undefined) return { ...sent, note: LEFT };
    return { ...sent, ...(await this.#replies.to({ ...place, message: stored, context }, answerer)) };
  }

  /** If clients talk to each other, one that did not begin the session answers in it. */
  async #roleOf(sessionId: string, author: string | undefined): Promise<ChatRole> {
    if (this.#given.answerer !== undefined) return 'user';
    return (await this.#given.store.isOpenedBy(sessionId, author)) ? 'user' : 'assistant';
  }

  async #find(sessionId: string, context: CallContext): Promise<ProjectSession> {
    const project = await this.#project(context);
    const session = await this.#given.store.get(sessionId.toLowerCase());
    return session?.projectId === project.id ? { session, project } : notFound();
  }

  async #project(context: CallContext): Promise<Project> {
    // Only to give the reason in words that fit: these tools take no id of a project.
    if ((await context.folder()) === undefined) throw invalid(NO_FOLDER);
    return projectOf(undefined, context, this.#given.checkpoints);
  }
}

const LEFT =
  'The gateway answers no chats (workflows.ide.answers): the message waits for an agent that reads it with ide_chat_history and answers it with ide_chat_send';
const STORED = 'The message is stored as an answer; the agent that asked reads it with ide_chat_history';
const NO_FOLDER =
  'the folder of this client is not known, so its project cannot be found. Let the client say where it works (roots, ' +
  '"viaduct/cwd" in _meta, the header X-Viaduct-Cwd, or ?cwd= in the address)';

function toSession({ id, name, createdAt, answering, lastRole }: StoredSession): ChatSession {
  const isAnswering = answering !== undefined && !isGone(answering.by, answering.at);
  const status = isAnswering ? 'answering' : lastRole === 'user' ? 'waiting' : 'idle';
  return { id, name, status, createdAt: timeText(createdAt) };
}
