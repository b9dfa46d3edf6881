import { GatewayError } from '../../../core/errors.ts';
import { isGone } from '../../../core/processes/owner.ts';
import type { LiveFeed } from '../../../core/providers/live-feed.ts';
import {
  CHAT_LIMITS,
  type ChatRole,
  type ChatStore,
  type StoredMessage,
  type StoredSession,
} from '../../../core/stores/chat-store.ts';
import type { CheckpointStore } from '../../../core/stores/checkpoint-store.ts';
import { characterCount } from '../../../core/text/character-count.ts';
import { cleanText } from '../../../core/text/clean-text.ts';
import { redact } from '../../../redaction/redact.ts';
import type { Log } from '../../../telemetry/log.ts';
import type { CallContext } from '../../define.ts';
import { type Project, projectOf } from '../../project-of.ts';
import type { Answer, Answerer } from './answerer.ts';
import { Answering } from './answering.ts';
import type { Chat, ChatMessage, ChatSession, SentMessage } from './chat.ts';
import type { ChatOptions } from './options.ts';
import { type Plan, planIn } from './plan.ts';

const USUAL_HISTORY = 100;
/** Messages of users that came while one waits for its answer: they are read, too, and left out. */
const LATER_MESSAGES = 50;

export interface StoredChatOptions {
  readonly options: ChatOptions;
  readonly store: ChatStore;
  readonly checkpoints: CheckpointStore;
  readonly live: LiveFeed;
  readonly log: Log;
  /** Absent where messages are left to other agents. */
  readonly answerer: Answerer | undefined;
}

/** A session, and the project of the caller that it belongs to. */
interface ProjectSession {
  readonly session: StoredSession;
  readonly project: Project;
}

/** A message as a client gave it. */
interface Letter {
  readonly sessionId: string;
  readonly message: string;
  readonly role: ChatRole | undefined;
}

/** A message that was stored, and the call that has brought it. */
interface Sent extends ProjectSession {
  readonly message: StoredMessage;
  readonly context: CallContext;
}

/** The chats of a store. */
export class StoredChat implements Chat {
  readonly #given: StoredChatOptions;
  readonly #answering: Answering;
  readonly #stop = new AbortController();
  readonly #sending = new Set<Promise<unknown>>();

  constructor(given: StoredChatOptions) {
    this.#given = given;
    const onKept = (error: unknown) => given.log.warn({ error }, 'a chat counts as being answered for another minute');
    this.#answering = new Answering(given.store, onKept);
  }

  async create(name: string, context: CallContext): Promise<ChatSession> {
    const text = this.#checked('name', name, CHAT_LIMITS.name);
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
    this.#stop.abort(new GatewayError('CALL_CANCELLED', STOPPED));
    await Promise.allSettled(this.#sending);
    await Promise.all([this.#given.store.close(), this.#given.checkpoints.close()]);
  }

  async #send({ sessionId, message, role: given }: Letter, context: CallContext): Promise<SentMessage> {
    const text = this.#checked('message', message, this.#given.options.messageCharacters);
    const place = await this.#find(sessionId, context);
    const author = context.client.name && cleanText(context.client.name);
    const role = given ?? (await this.#roleOf(place.session.id, author));
    const stored = await this.#add(place.session.id, { role, content: text, author });
    const sent = { sent: true, timestamp: timeText(stored.at) } as const;
    const { answerer } = this.#given;
    if (role === 'assistant') return { ...sent, note: STORED };
    if (answerer === undefined) return { ...sent, note: LEFT };
    return { ...sent, ...(await this.#answer(answerer, { ...place, message: stored, context })) };
  }

  /** If clients talk to each other, one that did not begin the session answers in it. */
  async #roleOf(sessionId: string, author: string | undefined): Promise<ChatRole> {
    if (this.#given.answerer !== undefined) return 'user';
    return (await this.#given.store.isOpenedBy(sessionId, author)) ? 'user' : 'assistant';
  }

  /** Stores the answer whether its caller is still there or not. */
  async #answer(answerer: Answerer, sent: Sent): Promise<Pick<SentMessage, 'reply' | 'note'>> {
    const refusal = await failureOf(answerer.requireFor?.(sent.context.client));
    if (refusal !== undefined) return unanswered(refusal);
    const { id } = sent.session;
    const signal = AbortSignal.any([sent.context.signal, this.#stop.signal]);
    return this.#answering.run(id, signal, async () => {
      this.#tell(id, { event: 'answering' });
      const answer = await this.#ask(answerer, sent, signal);
      if (answer instanceof GatewayError) return unanswered(answer);
      const content = this.#clean(cleanText(answer.text));
      if (content.trim() === '') return unanswered(new GatewayError('MODEL_FAILED', NOTHING_READABLE));
      const reply = await this.#add(id, { role: 'assistant', content, author: answer.author });
      const note = content.length > CHAT_LIMITS.message ? TOO_LONG : answer.note;
      return { reply: toMessage(reply), ...(note !== undefined && { note }) };
    });
  }

  /** Returns the answer, or why there is none. */
  async #ask(
    answerer: Answerer,
    { session, project, message, context }: Sent,
    signal: AbortSignal,
  ): Promise<Answer | GatewayError> {
    const { historyMessages, historyCharacters } = answerer.bounds;
    const messages = await this.#given.store.messages(session.id, {
      limit: historyMessages + LATER_MESSAGES,
      units: historyCharacters + CHAT_LIMITS.message,
    });
    try {
      const folder = project.root ?? '.';
      return await answerer.answer({ sessionId: session.id, folder, message, messages, context, signal });
    } catch (error) {
      this.#tell(session.id, { event: 'unanswered' });
      signal.throwIfAborted();
      if (error instanceof GatewayError) return error;
      throw error;
    }
  }

  async #add(sessionId: string, message: Pick<StoredMessage, 'role' | 'content' | 'author'>): Promise<StoredMessage> {
    const stored = (await this.#given.store.add(sessionId, message)) ?? notFound();
    const { content, ...facts } = toMessage(stored);
    this.#tell(sessionId, { event: 'message', ...facts, ...(this.#given.options.liveText && { content }) });
    return stored;
  }

  #tell(sessionId: string, data: object): void {
    void this.#given.live.publish({ channel: `chat:${sessionId}`, type: 'event', data: { sessionId, ...data } });
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

  #checked(argument: string, text: string, most: number): string {
    if (text.trim() === '') throw invalid(`missing or empty required string arg: ${argument}`);
    if (characterCount(text) > most) throw invalid(`invalid arg: ${argument}: must have at most ${most} characters`);
    return this.#clean(text);
  }

  /** Takes what looks like a secret out of a text. */
  #clean(text: string): string {
    return this.#given.options.redaction === 'off' ? text : redact(text).value;
  }
}

const LEFT =
  'The gateway answers no chats (workflows.ide.answers): the message waits for an agent that reads it with ide_chat_history and answers it with ide_chat_send';
const STORED = 'The message is stored as an answer: whoever asked reads it with ide_chat_history';
const TOO_LONG = `The answer is longer than ${CHAT_LIMITS.message} characters: the rest of it is left out`;
const STOPPED =
  'The gateway stops, or has got another config: the message is stored, but its answer was broken off. Send another one';
const NOTHING_READABLE = 'The answer has no readable text. Send the message again';
const NO_FOLDER =
  'the folder of this client is not known, so its project cannot be found. Let the client say where it works (roots, ' +
  '"viaduct/cwd" in _meta, the header X-Viaduct-Cwd, or ?cwd= in the address)';

function unanswered({ message }: GatewayError): { readonly note: string } {
  return { note: `Nobody has answered; the message is stored. ${message}` };
}

async function failureOf(work: Promise<void> | undefined): Promise<GatewayError | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

function notFound(): never {
  const message = 'There is no such chat session in the project that you work in. ide_session_list lists its sessions';
  throw new GatewayError('IDE_SESSION_NOT_FOUND', message, { effect: 'none' });
}

function invalid(message: string): GatewayError {
  return new GatewayError('INVALID_PARAMS', message, { effect: 'none' });
}

function toSession({ id, name, createdAt, answering, lastRole }: StoredSession): ChatSession {
  const isAnswering = answering !== undefined && !isGone(answering.by, answering.at);
  const status = isAnswering ? 'answering' : lastRole === 'user' ? 'waiting' : 'idle';
  return { id, name, status, createdAt: timeText(createdAt) };
}

function toMessage({ role, content, author, at }: StoredMessage): ChatMessage {
  return { role, content, timestamp: timeText(at), ...(author !== undefined && { author }) };
}

const timeText = (at: number): string => new Date(at).toISOString();
