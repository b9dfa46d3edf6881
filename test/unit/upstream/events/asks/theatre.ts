import { expect } from 'vitest';
import type { Provider } from '../../../../../src/core/providers/provider.ts';
import type { AskingGrade } from '../../../../../src/core/providers/provider-status.ts';
import { Subscriptions } from '../../../../../src/core/providers/subscriptions.ts';
import { UpstreamCalls } from '../../../../../src/upstream/calls/upstream-calls.ts';
import type { Link } from '../../../../../src/upstream/connection/link.ts';
import { Asks } from '../../../../../src/upstream/events/asks/asks.ts';
import { NotificationRouter } from '../../../../../src/upstream/events/asks/notification-router.ts';
import { type Bytes, toBuffer } from '../../../../../src/wire/bytes.ts';
import { Frame } from '../../../../../src/wire/frame.ts';
import { callOf, NO_ELICITATIONS } from '../../calls.ts';
import { entryOf } from '../../entries.ts';
import { linkTo } from '../../links.ts';
import { Member, type MemberCall, type MemberKind } from './troupe.ts';

/** A call as its server has it. */
interface Work {
  readonly id: number;
  readonly call: MemberCall;
  isAnswered: boolean;
  /** It was answered after it had been cancelled. */
  isLate: boolean;
}

/** A question of the server, on behalf of one call. */
interface Question {
  readonly work: Work;
  readonly isNamed: boolean;
  readonly text: string;
  /** What the server was working on when it asked. */
  readonly beside: readonly Work[];
  answer: any;
  isTakenBack: boolean;
}

export type Over = 'streams' | 'pipe';

/**
 * An upstream that serves several clients at once: a link, calls, questions and notifications as they are in the gateway,
 * between a server and clients that do what they are told. After each step it checks that nobody has heard what is
 * another's, and that no question waits or was refused although it could be given to its client.
 */
export class Theatre {
  readonly members: readonly Member[];
  readonly questions: Question[] = [];
  readonly #over: Over;
  readonly #link: Link;
  readonly #calls: UpstreamCalls;
  readonly #work: Work[] = [];
  readonly #names = new Map<string, MemberCall>();
  #grade: AskingGrade | undefined;
  #said = 0;

  constructor(kinds: readonly MemberKind[], over: Over) {
    this.#over = over;
    this.members = kinds.map((kind, index) => new Member(`client${index}`, kind));
    const provider = { id: 'up', kind: 'upstream' } as Provider;
    const directory = {
      get: (sessionId: string) => this.members.find(({ name }) => name === sessionId)?.session,
      sole: () => {
        const present = this.members.filter(({ hasLeft }) => !hasLeft);
        return present.length === 1 ? present[0]!.session : undefined;
      },
    };
    const entry = entryOf({ maxConcurrency: 1_000 });
    this.#calls = new UpstreamCalls({
      entry: { ...entry, timeouts: { ...entry.timeouts, callMs: 3_600_000, totalMs: 3_600_000 } },
      oneAtATimeBy: [],
      againHint: 'To start it again: viaduct sync u',
      lastWords: () => '',
      elicitations: NO_ELICITATIONS,
      isSerial: () => this.#grade === 'unnamed',
      isRenewable: () => false,
      renew: () => undefined,
      state: () => ({ name: 'ready', since: 0 }),
      link: () => this.#link,
      want: () => undefined,
      readTools: () => Promise.resolve(),
      publicReply: (_call, reply) => reply,
      ownAnswer: () => undefined,
      onSettled: (call) => asks.onCallSettled(call),
    });
    const { tracker } = this.#calls;
    const asks = new Asks({
      provider,
      directory,
      tracker,
      elicitations: NO_ELICITATIONS,
      maxWaiting: 500,
      onAsked: (isNamed) => {
        this.#grade = isNamed ? (this.#grade ?? 'named') : 'unnamed';
      },
      advice: () => '',
    });
    const notifications = new NotificationRouter({
      provider,
      directory,
      subscriptions: new Subscriptions(),
      tracker,
      elicitations: NO_ELICITATIONS,
      publicUri: (uri) => uri,
      onListChanged: () => undefined,
      onLeftOut: () => undefined,
    });
    const send = (bytes: Bytes) => this.#take(JSON.parse(toBuffer(bytes).toString()));
    const events = {
      onAsk: (message: any, of?: number) => asks.onAsk(message, undefined, of),
      onAskCancelled: (id: string) => asks.onCancelled(id),
      onNotification: (message: any, of?: number) => notifications.route(message, of),
      onLateAnswer: (id: number) => tracker.onLateAnswer(id),
      onLateProgress: () => false,
    };
    this.#link = linkTo({ send }, events);
    asks.attach(this.#link);
  }

  /** A client makes a call. */
  call(member: Member): void {
    if (member.hasLeft) return;
    const call = member.nextCall();
    this.#names.set(call.name, call);
    call.running = this.#calls.call(callOf('play', JSON.stringify({ call: call.name }), call));
  }

  /** Calls that the server works on, also those that were cancelled. */
  get underWay(): readonly Work[] {
    return this.#work.filter(({ isAnswered }) => !isAnswered);
  }

  /** All calls that it has ever had. */
  get known(): readonly Work[] {
    return this.#work;
  }

  ask(work: Work, isOutside: boolean, method: string): void {
    const text = this.#secretOf(work);
    const isNamed = this.#over === 'streams' && !isOutside;
    this.questions.push({ work, isNamed, text, beside: this.underWay, answer: undefined, isTakenBack: false });
    this.#say(work, isOutside, { id: this.questions.length - 1, method, params: { text } });
  }

  /** Also for a call that has ended. */
  log(work: Work, isOutside: boolean): void {
    const text = this.#secretOf(work);
    const mustArrive = !work.call.isOver && !isOutside && this.#over === 'streams';
    this.#say(work, isOutside, { method: 'notifications/message', params: { level: 'error', data: text } });
    if (mustArrive) expect(work.call.member.heard.some((heard) => heard.includes(text))).toBe(true);
  }

  progress(work: Work): void {
    const params = { progressToken: work.id, progress: ++this.#said, message: this.#secretOf(work) };
    this.#say(work, false, { method: 'notifications/progress', params });
  }

  /**
   * A server waits for what it has asked before it answers (2025-11-25: nested); one that is tired of waiting says so. But
   * when a call is cancelled some answer it with an error at once, and do not take back what they have asked.
   */
  answer(work: Work): void {
    work.isLate = work.call.isOver;
    if (!work.isLate) this.#takeBackQuestionsOf(work);
    work.isAnswered = true;
    this.#say(work, false, { id: work.id, result: { content: [] } });
  }

  #takeBackQuestionsOf(work: Work): void {
    for (const [requestId, question] of this.questions.entries()) {
      if (question.work !== work || question.answer !== undefined || question.isTakenBack) continue;
      question.isTakenBack = true;
      this.#say(work, false, { method: 'notifications/cancelled', params: { requestId } });
    }
  }

  check(): void {
    for (const { name, heard } of this.members)
      for (const text of heard) if (!text.includes(`of ${name}-`)) throw new Error(`${name} has heard: ${text}`);
    for (const question of this.questions) if (question.answer === undefined) this.#checkGiven(question);
    for (const { answer, work } of this.questions)
      if (answer?.result?.by !== undefined) expect(answer.result.by).toBe(work.call.member.name);
  }

  #checkGiven({ work: { call }, text, isTakenBack, ...question }: Question): void {
    const isGiven = call.member.heard.some((heard) => heard.includes(text));
    if (isGiven || isTakenBack || call.isOver || !isAttributable({ call, ...question })) return;
    throw new Error(`not given to its client, which is known: ${text} ${JSON.stringify(question.answer)}`);
  }

  #secretOf({ call }: Work): string {
    return `secret ${++this.#said} of ${call.name};`;
  }

  #say({ id }: Work, isOutside: boolean, message: object): void {
    const of = this.#over === 'streams' && !isOutside ? id : undefined;
    this.#link.receiver.onFrame(Frame.of(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))), of);
  }

  #take(message: any): void {
    if (message.method === 'tools/call') {
      const call = this.#names.get(message.params.arguments.call)!;
      this.#work.push({ id: message.id, call, isAnswered: false, isLate: false });
    } else if (message.method === undefined) {
      const question = this.questions[message.id]!;
      question.answer = message;
      if (message.error !== undefined) this.#checkGiven(question);
    }
  }
}

/** Whether it can belong to no other client than to that of its call. */
function isAttributable({
  isNamed,
  beside,
  call,
}: Pick<Question, 'isNamed' | 'beside'> & { call: MemberCall }): boolean {
  if (isNamed) return true;
  return beside.every((other) => {
    if ((other.isAnswered && !other.isLate) || other.call.sessionId === call.sessionId) return true;
    // Of a call that was cancelled it only matters whose it was.
    return other.call.isOver && other.call.member === call.member;
  });
}
