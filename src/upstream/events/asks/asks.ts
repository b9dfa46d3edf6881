import type { GatewayError } from '../../../core/errors.ts';
import type { AskTarget, ClientDirectory, Provider } from '../../../core/providers/provider.ts';
import type { ByteString } from '../../../wire/bytes.ts';
import { edit, findProgressToken } from '../../../wire/edits/call-text.ts';
import { idKey } from '../../../wire/ids.ts';
import { rawText } from '../../../wire/lens.ts';
import { paramsOf, type RequestMessage } from '../../../wire/message.ts';
import { errorReply, type Reply, resultReply } from '../../../wire/reply.ts';
import type { OutgoingCall } from '../../calls/outgoing-call.ts';
import type { Link } from '../../connection/link.ts';
import type { TaskAsk } from '../../tasks/upstream-tasks.ts';
import { attribute, type Verdict } from './attribution.ts';
import type { CallTracker } from './call-tracker.ts';
import type { ElicitationIds } from './elicitation-ids.ts';
import { type AskOrigin, suspectsOf } from './suspects.ts';

/** The longest time that a request waits until it is clear which client's call it belongs to. */
const UNCLEAR_MS = 30_000;
/** No server asks so much at once, unless it has gone wild. */
const MAX_OPEN = 64;

interface OpenAsk {
  /** What the upstream says of the task because of which it asks. */
  readonly task: TaskAsk | undefined;
  readonly message: RequestMessage;
  /** Calls that were open when it came, and still are: one of them caused it. */
  readonly suspects: Set<OutgoingCall>;
  /**
   * The owners of calls that may have caused it too, though they were given up. The answer to such a call proves nothing:
   * some servers answer a cancelled call at once, and do not take back what they have asked for it.
   */
  readonly leftOwners: Set<string>;
  timer: NodeJS.Timeout | undefined;
  withdraw: ((reason: string) => void) | undefined;
  /** The number of times it was given to a client. */
  turn: number;
  /** Calls whose time stands still until the client has answered. */
  waiting: readonly OutgoingCall[];
}

export interface AsksHost {
  readonly provider: Pick<Provider, 'id' | 'kind' | 'workflow'>;
  readonly directory: ClientDirectory;
  readonly tracker: CallTracker<OutgoingCall>;
  readonly elicitations: ElicitationIds;
  /** The number of calls that may wait for their clients at one time. They keep places that other calls need. */
  readonly maxWaiting: number;
  /** The upstream asks for what a user or a model says. `isNamed` tells that it said which call, or task, it asks for. */
  onAsked(isNamed: boolean): void;
  /** Says what people can do to make clear which client this upstream asks. */
  readonly advice: () => string;
}

/**
 * Requests of an upstream that only a client can answer. One process may serve several clients, so a request is given to a
 * client only if it can belong to no other (see `attribute`). Until then it waits for a while, and is refused after that.
 */
export class Asks {
  readonly #host: AsksHost;
  readonly #open = new Map<string, OpenAsk>();
  /** Calls of these are known to ask. */
  readonly #askingTools = new Set<string>();
  /** Somebody asked for roots when no client was there. */
  #rootsMissed = false;
  #link: Link | undefined;

  constructor(host: AsksHost) {
    this.#host = host;
  }

  /** A new connection has taken over; what the old one asked is void. */
  attach(link: Link): void {
    this.detach('the upstream was restarted');
    this.#link = link;
  }

  detach(reason: string): void {
    this.#link = undefined;
    this.#rootsMissed = false;
    const asks = [...this.#open.values()];
    this.#open.clear();
    for (const ask of asks) {
      close(ask);
      ask.withdraw?.(reason);
    }
  }

  get rootsMissed(): boolean {
    return this.#rootsMissed;
  }

  /** `of` is the id of our request on whose response stream it came, where it came on one. */
  onAsk(message: RequestMessage, task: TaskAsk | undefined, of: number | undefined): void {
    const origin = suspectsOf(this.#host.tracker, {
      task,
      of,
      isPending: (id) => this.#link?.pending.waiterOf(id) !== undefined,
    });
    if (message.method !== 'roots/list') this.#host.onAsked(origin.isNamed);
    const refusal = this.#refusalOf(message);
    if (refusal === undefined) this.#begin(message, task, origin);
    else this.#link?.outbox.answer(message.id, errorReply(refusal));
  }

  #begin(message: RequestMessage, task: TaskAsk | undefined, { kind, open, left }: AskOrigin<OutgoingCall>): void {
    const ask: OpenAsk = {
      task,
      message,
      suspects: new Set(open),
      leftOwners: new Set(left.values()),
      timer: undefined,
      withdraw: undefined,
      turn: 0,
      waiting: [],
    };
    this.#open.set(idKey(message.id), ask);
    if (kind === 'task-owner') this.#askOwner(ask, task!.sessionId!);
    else if (kind === 'outside') this.#askOutsideOfCalls(ask);
    else this.#judge(ask);
  }

  #refusalOf(message: RequestMessage): { code: number; message: string } | undefined {
    const { id, method } = message;
    const problem = this.#host.elicitations.problemOf(message);
    if (problem !== undefined) return { code: -32602, message: `Invalid params for ${method}: ${problem}` };
    if (this.#open.has(idKey(id))) {
      return { code: -32600, message: `Invalid request: the id ${id} is in use by a request that is not answered yet` };
    }
    if (this.#open.size < MAX_OPEN) return undefined;
    return { code: -32603, message: `${method}: ${MAX_OPEN} requests of this server wait for an answer already` };
  }

  /** The upstream has taken a request back. */
  onCancelled(id: ByteString): void {
    const ask = this.#take(id);
    ask?.withdraw?.('cancelled by the upstream');
  }

  /** A call is over. One that was given up, and not answered, may have caused what was asked all the same. */
  onCallSettled(call: OutgoingCall): void {
    for (const ask of this.#open.values()) {
      if (!ask.suspects.delete(call)) continue;
      if (call.mayGoOn) ask.leftOwners.add(call.owner);
      if (ask.withdraw === undefined) this.#judge(ask);
    }
  }

  /** Gives the question to its client where that is known by now; else it waits, or is refused. */
  #judge(ask: OpenAsk): void {
    const verdict = attribute({ open: [...ask.suspects], leftOwners: ask.leftOwners });
    switch (verdict.kind) {
      case 'client':
        this.#giveTo(ask, verdict);
        break;
      case 'unclear':
        if (verdict.isBusy) this.#waitUntilClear(ask);
        else this.#refuseUnclear(ask, 'a call of another client was given up, and this upstream may still work on it');
        break;
      default:
        this.#refuse(ask, 'the call that it belongs to has ended');
    }
  }

  #giveTo(ask: OpenAsk, { calls }: Extract<Verdict<OutgoingCall>, { kind: 'client' }>): void {
    clearTimeout(ask.timer);
    ask.timer = undefined;
    const usual = calls.filter((call) => this.#askingTools.has(keyOf(call)));
    const likely = (usual.length > 0 ? usual : calls).at(-1)!;
    if (!this.#mayWait(likely)) {
      this.#refuse(ask, `${this.#host.maxWaiting} calls of "${this.#host.provider.id}" wait for their clients already`);
      return;
    }
    if (calls.length === 1 && ask.task === undefined) this.#askingTools.add(keyOf(likely));
    this.#give(ask, this.#targetOf(calls, likely));
  }

  /**
   * A client over HTTP takes what comes on the stream of a call for what belongs to that call, and may be a gateway of
   * several clients itself. So where it can be one of several calls, it goes to the client's own stream, if it listens.
   */
  #targetOf(calls: readonly OutgoingCall[], likely: OutgoingCall): AskTarget {
    const { caller } = likely.call;
    if (calls.length === 1 || caller.client.era === 'modern') return caller;
    const session = this.#host.directory.get(caller.sessionId);
    return session?.isListening === true ? session : caller;
  }

  /** Of the calls that a question may belong to, one waits for its answer. */
  #mayWait(call: OutgoingCall): boolean {
    const given = [...this.#open.values()].filter(
      ({ withdraw, suspects }) => withdraw !== undefined && suspects.size > 0,
    );
    if (given.length < this.#host.maxWaiting) return true;
    const waiting = new Set(given.flatMap(({ suspects }) => [...suspects]));
    return waiting.has(call) || waiting.size < this.#host.maxWaiting;
  }

  #waitUntilClear(ask: OpenAsk): void {
    if (ask.timer !== undefined) return;
    ask.timer = setTimeout(() => {
      ask.timer = undefined;
      this.#refuseUnclear(ask, 'several clients have calls open on this upstream');
    }, UNCLEAR_MS);
    ask.timer.unref();
  }

  #refuseUnclear(ask: OpenAsk, why: string): void {
    this.#refuse(ask, `${why}, so it is not clear which client is asked. ${this.#host.advice()}`);
  }

  /** A task goes on without a call. */
  #askOwner(ask: OpenAsk, sessionId: string): void {
    const owner = this.#host.directory.get(sessionId);
    if (owner === undefined) this.#refuse(ask, 'the client whose task it is has gone');
    else this.#give(ask, owner);
  }

  /** Roots are asked at start, when no call is open: then only a client that is alone can be meant. */
  #askOutsideOfCalls(ask: OpenAsk): void {
    const { directory, provider, tracker } = this.#host;
    const sole = directory.sole(provider);
    if (ask.message.method !== 'roots/list') this.#refuse(ask, 'no call of a client is open');
    else if (sole !== undefined && !tracker.isTaintedFor(sole.sessionId)) {
      tracker.onAnswered(sole.sessionId);
      this.#give(ask, sole);
    } else {
      this.#rootsMissed = true;
      this.#answer(ask.message.id, resultReply({ roots: [] }));
    }
  }

  #give(ask: OpenAsk, target: AskTarget): void {
    const { task, message } = ask;
    const { elicitations } = this.#host;
    const turn = ++ask.turn;
    const withdraw = target.ask({
      message: elicitations.question(task?.message ?? message, target.sessionId),
      onAnswer: (answer) => this.#answer(message.id, task?.toOwn(answer) ?? answer),
      onFailure: (error) => {
        if (!this.#isGivenOn(ask, error)) this.#answer(message.id, errorReply(bodyOf(error)));
      },
      onProgress: (frame, token) => {
        const original = progressTokenOf(message);
        if (original !== undefined) this.#link?.outbox.relay(frame.splice([edit(token, original)]));
      },
    });
    // A client that cannot be asked has failed already, and perhaps another one was asked.
    if (!this.#open.has(idKey(message.id)) || ask.turn !== turn) return;
    ask.withdraw = withdraw;
    elicitations.onAsked(message, target.sessionId);
    ask.waiting = [...ask.suspects];
    for (const call of ask.waiting) call.pauseClock();
  }

  /** The call that was asked is over, so the question was another's. Returns false where it was nobody else's. */
  #isGivenOn(ask: OpenAsk, { code }: GatewayError): boolean {
    if (code !== 'CALL_CANCELLED' || ask.suspects.size === 0 || !this.#open.has(idKey(ask.message.id))) return false;
    close(ask);
    ask.withdraw = undefined;
    this.#judge(ask);
    return true;
  }

  #refuse(ask: OpenAsk, reason: string): void {
    this.#answer(ask.message.id, errorReply({ code: -32601, message: `${ask.message.method}: ${reason}` }));
  }

  #answer(id: ByteString, reply: Reply): void {
    if (this.#take(id) !== undefined) this.#link?.outbox.answer(id, reply);
  }

  #take(id: ByteString): OpenAsk | undefined {
    const ask = this.#open.get(idKey(id));
    if (ask === undefined) return undefined;
    this.#open.delete(idKey(id));
    close(ask);
    return ask;
  }
}

function close(ask: OpenAsk): void {
  clearTimeout(ask.timer);
  ask.timer = undefined;
  for (const call of ask.waiting) call.resumeClock();
  ask.waiting = [];
}

function keyOf({ call }: OutgoingCall): string {
  return `${call.text.message.method} ${call.ownName}`;
}

function bodyOf(error: GatewayError): { code: number; message: string } {
  return { code: error.facts.jsonRpc, message: error.message };
}

/** The upstream's own token for progress, as it spelt it. */
function progressTokenOf(message: RequestMessage): ByteString | undefined {
  const { frame } = message;
  const token = findProgressToken(frame, paramsOf(message));
  return token === undefined ? undefined : rawText(frame.text, token);
}
