import type { AskTarget, ClientDirectory, Provider } from '../../../core/providers/provider.ts';
import type { ByteString } from '../../../wire/bytes.ts';
import type { RequestMessage } from '../../../wire/message.ts';
import { type ErrorBody, resultReply } from '../../../wire/reply.ts';
import type { Link } from '../../connection/link.ts';
import { AskDelivery } from './ask-delivery.ts';
import { AskingTools } from './asking-tools.ts';
import type { Verdict } from './attribution.ts';
import type { CallTracker } from './call-tracker.ts';
import type { ElicitationIds } from './elicitation-ids.ts';
import { type AskedCall, OpenAsk } from './open-ask.ts';
import { OpenAsks } from './open-asks.ts';
import { suspectsOf } from './suspects.ts';
import type { TaskAsk } from './task-ask.ts';

/** The longest time that a request waits until it is clear which client's call it belongs to. */
const UNCLEAR_MS = 30_000;

export interface AsksHost {
  readonly provider: Pick<Provider, 'id' | 'kind' | 'workflow'>;
  readonly directory: ClientDirectory;
  readonly tracker: CallTracker<AskedCall>;
  readonly elicitations: ElicitationIds;
  /** The number of calls that may wait for their clients at one time. They keep places that other calls need. */
  readonly maxWaiting: number;
  /** The upstream asks for what a user or a model says. `isNamed` tells that it said which call, or task, it asks for. */
  onAsked(isNamed: boolean): void;
  /** Says what people can do to make clear which client this upstream asks. */
  readonly advice: () => string;
}

/**
 * Decides which client gets a request that only a client can answer. One process may serve several clients, so a request is
 * given to a client only if it can belong to no other (see `attribute`). Until then it waits for a while, and is refused
 * after that. `AskDelivery` does what is decided.
 */
export class Asks {
  readonly #host: AsksHost;
  readonly #open = new OpenAsks();
  readonly #delivery: AskDelivery;
  readonly #askingTools = new AskingTools();
  /** True if the upstream asked for roots when there was no client. */
  #rootsMissed = false;

  constructor(host: AsksHost) {
    this.#host = host;
    this.#delivery = new AskDelivery(this.#open, host.elicitations, (ask) => this.#judge(ask));
  }

  /** A new connection has taken over; what the old one asked is void. */
  attach(link: Link): void {
    this.detach('the upstream was restarted');
    this.#delivery.attach(link);
  }

  detach(reason: string): void {
    this.#rootsMissed = false;
    this.#delivery.detach(reason);
  }

  get rootsMissed(): boolean {
    return this.#rootsMissed;
  }

  /**
   * Takes a request of the upstream.
   * @param task what it says about the task because of which it asks
   * @param of the id of our request on whose response stream it came, where it came on one
   */
  onAsk(message: RequestMessage, task: TaskAsk | undefined, of: number | undefined): void {
    const isPending = (id: number) => this.#delivery.isPending(id);
    const origin = suspectsOf(this.#host.tracker, { task, of, isPending });
    if (message.method !== 'roots/list') this.#host.onAsked(origin.isNamed);
    const refusal = this.#refusalOf(message);
    if (refusal !== undefined) {
      this.#delivery.reject(message, refusal);
      return;
    }
    const ask = new OpenAsk(message, task, origin);
    this.#open.add(ask);
    if (origin.kind === 'task-owner') this.#askOwner(ask, task!.sessionId!);
    else if (origin.kind === 'outside') this.#askOutsideOfCalls(ask);
    else this.#judge(ask);
  }

  /** The upstream has taken a request back. */
  onCancelled(id: ByteString): void {
    this.#delivery.withdraw(id);
  }

  /** A call is over: what it may have asked may belong to one client only now. */
  onCallSettled(call: AskedCall): void {
    for (const ask of this.#open.values()) if (ask.onCallSettled(call) && !ask.isGiven) this.#judge(ask);
  }

  #refusalOf(message: RequestMessage): ErrorBody | undefined {
    const { id, method } = message;
    const problem = this.#host.elicitations.problemOf(message);
    if (problem !== undefined) return { code: -32602, message: `Invalid params for ${method}: ${problem}` };
    if (this.#open.has(id)) {
      return { code: -32600, message: `Invalid request: the id ${id} is in use by a request that is not answered yet` };
    }
    if (!this.#open.isFull) return undefined;
    return {
      code: -32603,
      message: `${method}: ${this.#open.limit} requests of this server wait for an answer already`,
    };
  }

  /** Gives the question to its client where that is known by now; else it waits, or is refused. */
  #judge(ask: OpenAsk): void {
    const verdict = ask.verdict();
    switch (verdict.kind) {
      case 'client':
        this.#giveTo(ask, verdict);
        break;
      case 'unclear':
        if (verdict.isBusy) this.#waitUntilClear(ask);
        else this.#refuseUnclear(ask, 'a call of another client was given up, and this upstream may still work on it');
        break;
      default:
        this.#delivery.refuse(ask, 'the call that it belongs to has ended');
    }
  }

  #giveTo(ask: OpenAsk, { calls }: Extract<Verdict<AskedCall>, { kind: 'client' }>): void {
    const { maxWaiting, provider, directory } = this.#host;
    const likely = this.#askingTools.likeliest(calls);
    if (!this.#open.mayWait(likely, maxWaiting)) {
      this.#delivery.refuse(ask, `${maxWaiting} calls of "${provider.id}" wait for their clients already`);
      return;
    }
    if (calls.length === 1 && ask.task === undefined) this.#askingTools.note(likely);
    this.#delivery.give(ask, targetOf(calls, likely, directory));
  }

  #waitUntilClear(ask: OpenAsk): void {
    const onOver = () => this.#refuseUnclear(ask, 'several clients have calls open on this upstream');
    ask.waitAtMost(UNCLEAR_MS, onOver);
  }

  #refuseUnclear(ask: OpenAsk, why: string): void {
    this.#delivery.refuse(ask, `${why}, so it is not clear which client is asked. ${this.#host.advice()}`);
  }

  /** A task goes on without a call. */
  #askOwner(ask: OpenAsk, sessionId: string): void {
    const owner = this.#host.directory.get(sessionId);
    if (owner === undefined) this.#delivery.refuse(ask, 'the client whose task it is has gone');
    else this.#delivery.give(ask, owner);
  }

  /** Roots are asked at start, when no call is open: then only a client that is alone can be meant. */
  #askOutsideOfCalls(ask: OpenAsk): void {
    const { directory, provider, tracker } = this.#host;
    const sole = directory.sole(provider);
    if (ask.message.method !== 'roots/list') this.#delivery.refuse(ask, 'no call of a client is open');
    else if (sole !== undefined && !tracker.isTaintedFor(sole.sessionId)) {
      tracker.onAnswered(sole.sessionId);
      this.#delivery.give(ask, sole);
    } else {
      this.#rootsMissed = true;
      this.#delivery.answer(ask.message.id, resultReply({ roots: [] }));
    }
  }
}

/**
 * A client over HTTP takes what comes on the stream of a call for what belongs to that call, and may be a gateway of
 * several clients itself. So where it can be one of several calls, it goes to the client's own stream, if it listens.
 */
function targetOf(calls: readonly AskedCall[], likely: AskedCall, directory: ClientDirectory): AskTarget {
  const { caller } = likely.call;
  if (calls.length === 1 || caller.client.era === 'modern') return caller;
  const session = directory.get(caller.sessionId);
  return session?.isListening === true ? session : caller;
}
