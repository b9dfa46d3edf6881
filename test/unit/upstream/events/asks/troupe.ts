import type { GatewayError } from '../../../../../src/core/errors.ts';
import { GatewayError as Failure } from '../../../../../src/core/errors.ts';
import type {
  Caller,
  ClientAsk,
  ClientFacts,
  ClientSession,
  RunningCall,
  WithdrawAsk,
} from '../../../../../src/core/providers/provider.ts';
import type { Frame } from '../../../../../src/wire/frame.ts';
import type { NotificationMessage } from '../../../../../src/wire/message.ts';
import { resultReply } from '../../../../../src/wire/reply.ts';

export const MEMBER_KINDS = ['legacy', 'modern stdio', 'modern http'] as const;
export type MemberKind = (typeof MEMBER_KINDS)[number];

/** One of several clients of an upstream: it keeps all that it is told. */
export class Member {
  readonly name: string;
  readonly kind: MemberKind;
  /** All that has reached it. */
  readonly heard: string[] = [];
  readonly calls = new Set<MemberCall>();
  /** Questions that it has not answered. */
  readonly open = new Set<ClientAsk>();
  hasLeft = false;
  #count = 0;

  constructor(name: string, kind: MemberKind) {
    this.name = name;
    this.kind = kind;
  }

  /** What outlives its calls; a client of 2026-07-28 has nothing such. */
  get session(): ClientSession | undefined {
    if (this.kind !== 'legacy' || this.hasLeft) return undefined;
    return {
      sessionId: this.name,
      isListening: true,
      ask: (ask) => this.ask(ask),
      onNotification: (message) => this.hear(message.frame),
      onResourceUpdated: () => undefined,
      onTaskChanged: () => undefined,
      onSubscriptionsLost: () => undefined,
    };
  }

  nextCall(): MemberCall {
    const call = new MemberCall(this, ++this.#count);
    this.calls.add(call);
    return call;
  }

  ask(ask: ClientAsk): WithdrawAsk {
    this.hear(ask.message.frame);
    this.open.add(ask);
    return () => void this.open.delete(ask);
  }

  hear(frame: Frame): void {
    this.heard.push(frame.text.toString());
  }

  /** Answers its oldest question, with its own name. */
  answer(): void {
    const [ask] = this.open;
    if (ask === undefined) return;
    this.open.delete(ask);
    ask.onAnswer(resultReply({ by: this.name }));
  }

  /** Its calls are cancelled, then what it was asked fails. */
  leave(): void {
    this.hasLeft = true;
    for (const call of this.calls) call.cancel();
    this.#fail([...this.open]);
  }

  fail(asks: Iterable<ClientAsk>): void {
    this.#fail([...asks].filter((ask) => this.open.has(ask)));
  }

  #fail(asks: readonly ClientAsk[]): void {
    for (const ask of asks) this.open.delete(ask);
    for (const ask of asks) ask.onFailure(new Failure('CALL_CANCELLED', 'the call is over'));
  }
}

/** A call of such a client. */
export class MemberCall implements Caller {
  readonly member: Member;
  readonly name: string;
  readonly sessionId: string;
  readonly client: ClientFacts;
  running: RunningCall | undefined;
  isOver = false;
  readonly #asked: ClientAsk[] = [];

  constructor(member: Member, count: number) {
    const { name, kind } = member;
    this.member = member;
    this.name = `${name}-${count}`;
    this.sessionId = kind === 'modern http' ? this.name : name;
    this.client = {
      era: kind === 'legacy' ? 'legacy' : 'modern',
      clientId: kind === 'modern http' ? 'everybody' : name,
      capabilities: '{}',
      clientInfo: JSON.stringify({ name }),
      logLevel: undefined,
      folderRule: undefined,
    };
  }

  ask(ask: ClientAsk): WithdrawAsk {
    this.#asked.push(ask);
    return this.member.ask(ask);
  }

  onReply(): void {
    this.#end();
  }

  onFailure(_error: GatewayError): void {
    this.#end();
  }

  onProgress(frame: Frame): void {
    this.member.hear(frame);
  }

  onNotification(message: NotificationMessage): void {
    this.member.hear(message.frame);
  }

  cancel(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.member.calls.delete(this);
    this.running?.cancel();
    this.#dropQuestions();
  }

  #end(): void {
    this.isOver = true;
    this.member.calls.delete(this);
    this.#dropQuestions();
  }

  /** What a legacy client is asked stays with it until it answers or leaves. */
  #dropQuestions(): void {
    if (this.member.kind !== 'legacy') this.member.fail(this.#asked);
  }
}
