import type { GatewayError } from '../core/errors.ts';
import type { AskTarget, ClientDirectory, Provider, ProviderCall, WithdrawAsk } from '../core/provider.ts';
import { isAboutTask } from '../era/tasks.ts';
import type { ByteString } from '../wire/bytes.ts';
import { edit, findProgressToken } from '../wire/call-text.ts';
import { idKey } from '../wire/ids.ts';
import { lastMember, rawText, stringAt } from '../wire/lens.ts';
import { paramsOf, type RequestMessage } from '../wire/message.ts';
import { errorReply, type Reply, resultReply } from '../wire/reply.ts';
import type { Link } from './link.ts';
import type { OutgoingCall } from './outgoing-call.ts';
import type { TaskAsk } from './upstream-tasks.ts';

/** How long a request may wait until it is clear which client's call it belongs to. */
const UNCLEAR_MS = 30_000;
const KEPT_ELICITATIONS = 256;
/** No server asks so much at once, unless it has gone wild. */
const MAX_OPEN = 64;

interface OpenAsk {
  /** What the upstream says of the task because of which it asks. */
  readonly task: TaskAsk | undefined;
  readonly message: RequestMessage;
  /** Calls that were open when it came, and still are: one of them caused it. */
  readonly suspects: Set<OutgoingCall>;
  timer: NodeJS.Timeout | undefined;
  withdraw: WithdrawAsk | undefined;
  /** How often it was given to somebody. */
  turn: number;
  /** Calls whose time stands still until the client has answered. */
  waiting: readonly OutgoingCall[];
}

export interface AsksHost {
  readonly provider: Pick<Provider, 'id' | 'kind' | 'workflow'>;
  readonly directory: ClientDirectory;
  openCalls(): Iterable<OutgoingCall>;
  /** This call made the upstream ask its client something; where it is not `isSure`, this or another one did. */
  onAsked(call: OutgoingCall, isSure: boolean): void;
  /** Calls of this tool are known to ask. */
  hasAskedBefore(call: OutgoingCall): boolean;
  /** The call waits for its client: it is not the one that asks. */
  isAsleep(call: OutgoingCall): boolean;
  /** So many calls may wait for their clients at one time: they keep their places, which others need too. */
  readonly maxWaiting: number;
}

/**
 * Requests of an upstream that only a client can answer. The protocol does not say which call caused one, and one
 * process serves several clients, so a request is given to a client only when no other can be meant: it waits while
 * calls of several clients are open. A call that ends meanwhile was not the cause, for that one waits for its answer;
 * nor is one whose client has had a question for a while.
 */
export class Asks {
  readonly #host: AsksHost;
  readonly #open = new Map<string, OpenAsk>();
  /** Which client was sent to a URL, so that its completion reaches the same one. */
  readonly #elicitations = new Map<string, string>();
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

  onAsk(message: RequestMessage, task?: TaskAsk): void {
    const refusal = this.#refusalOf(message);
    if (refusal !== undefined) {
      this.#link?.answer(message.id, errorReply(refusal));
      return;
    }
    const suspects = this.#suspects(task);
    const ask: OpenAsk = { task, message, suspects, timer: undefined, withdraw: undefined, turn: 0, waiting: [] };
    this.#open.set(idKey(message.id), ask);
    if (suspects.size === 0 && task?.sessionId !== undefined) this.#askOwner(ask, task.sessionId);
    else if (suspects.size === 0) this.#askOutsideOfCalls(ask);
    else if (!this.#giveToTheOnlyOne(ask)) this.#waitUntilClear(ask);
  }

  /** Calls that may have caused a question that comes now. */
  #suspects(task: TaskAsk | undefined): Set<OutgoingCall> {
    const open = [...this.#host.openCalls()];
    if (task?.sessionId !== undefined) return new Set(open.filter(({ call }) => isWaitingFor(task, call)));
    // What belongs to a task says so: a request about a task has not caused a question that names none.
    const atWork = open.filter(({ call }) => !isAboutTask(call.text.message.method));
    const calls = task === undefined && atWork.length > 0 ? atWork : open;
    const awake = calls.filter((call) => !this.#host.isAsleep(call));
    return new Set(awake.length > 0 ? awake : calls);
  }

  #refusalOf({ id, method }: RequestMessage): { code: number; message: string } | undefined {
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

  onCallSettled(call: OutgoingCall): void {
    for (const ask of this.#open.values()) {
      if (!ask.suspects.delete(call) || ask.withdraw !== undefined) continue;
      if (ask.suspects.size === 0) this.#refuse(ask, 'the call that it belongs to has ended');
      else this.#giveToTheOnlyOne(ask);
    }
  }

  /** The client that was sent to this elicitation's URL. */
  sessionOfElicitation(elicitationId: string): string | undefined {
    return this.#elicitations.get(elicitationId);
  }

  #giveToTheOnlyOne(ask: OpenAsk): boolean {
    const calls = [...ask.suspects];
    if (calls.some((call) => call.sessionId !== calls[0]!.sessionId)) return false;
    clearTimeout(ask.timer);
    const usual = calls.filter((call) => this.#host.hasAskedBefore(call));
    const likely = usual.length > 0 ? usual : calls;
    if (!this.#mayWait(likely.at(-1)!)) {
      this.#refuse(ask, `${this.#host.maxWaiting} calls of "${this.#host.provider.id}" wait for their clients already`);
      return true;
    }
    if (ask.task === undefined) for (const call of likely) this.#host.onAsked(call, calls.length === 1);
    this.#give(ask, likely.at(-1)!.call.caller);
    return true;
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
    ask.timer = setTimeout(() => {
      // The next time, calls of these tools will not run side by side.
      for (const call of ask.suspects) this.#host.onAsked(call, false);
      this.#refuse(
        ask,
        'several clients have calls open on this upstream, so it is not clear which one is asked; ' +
          `set "share: session" for "${this.#host.provider.id}" in the gateway's config`,
      );
    }, UNCLEAR_MS);
    ask.timer.unref();
  }

  /** A task goes on without a call. */
  #askOwner(ask: OpenAsk, sessionId: string): void {
    const owner = this.#host.directory.get(sessionId);
    if (owner === undefined) this.#refuse(ask, 'the client whose task it is has gone');
    else this.#give(ask, owner);
  }

  /** Roots are asked at start, when no call is open: then only a client that is alone can be meant. */
  #askOutsideOfCalls(ask: OpenAsk): void {
    const sole = this.#host.directory.sole(this.#host.provider);
    if (ask.message.method !== 'roots/list') this.#refuse(ask, 'no call of a client is open');
    else if (sole !== undefined) this.#give(ask, sole);
    else {
      this.#rootsMissed = true;
      this.#answer(ask.message.id, resultReply({ roots: [] }));
    }
  }

  #give(ask: OpenAsk, target: AskTarget): void {
    const { task, message } = ask;
    const turn = ++ask.turn;
    const withdraw = target.ask({
      message: task?.message ?? message,
      onAnswer: (answer) => this.#answer(message.id, task?.toOwn(answer) ?? answer),
      onFailure: (error) => {
        if (!this.#isGivenOn(ask, error)) this.#answer(message.id, errorReply(bodyOf(error)));
      },
      onProgress: (frame, token) => {
        const original = progressTokenOf(message);
        if (original !== undefined) this.#link?.relay(frame.splice([edit(token, original)]));
      },
    });
    // A client that cannot be asked has failed already, and perhaps another one was asked.
    if (!this.#open.has(idKey(message.id)) || ask.turn !== turn) return;
    ask.withdraw = withdraw;
    ask.waiting = [...ask.suspects];
    for (const call of ask.waiting) call.pauseClock(ask.waiting.length === 1);
    this.#rememberElicitation(message, target);
  }

  /** The call that was asked is over, so the question was another's. Returns false where it was nobody else's. */
  #isGivenOn(ask: OpenAsk, { code }: GatewayError): boolean {
    if (code !== 'CALL_CANCELLED' || ask.suspects.size === 0 || !this.#open.has(idKey(ask.message.id))) return false;
    close(ask);
    ask.withdraw = undefined;
    if (!this.#giveToTheOnlyOne(ask)) this.#waitUntilClear(ask);
    return true;
  }

  #refuse(ask: OpenAsk, reason: string): void {
    this.#answer(ask.message.id, errorReply({ code: -32601, message: `${ask.message.method}: ${reason}` }));
  }

  #answer(id: ByteString, reply: Reply): void {
    if (this.#take(id) !== undefined) this.#link?.answer(id, reply);
  }

  #take(id: ByteString): OpenAsk | undefined {
    const ask = this.#open.get(idKey(id));
    if (ask === undefined) return undefined;
    this.#open.delete(idKey(id));
    close(ask);
    return ask;
  }

  #rememberElicitation(message: RequestMessage, target: AskTarget): void {
    if (message.method !== 'elicitation/create') return;
    const { text } = message.frame;
    const id = stringAt(text, lastMember(paramsOf(message), 'elicitationId'));
    if (id === undefined) return;
    this.#elicitations.set(id, target.sessionId);
    if (this.#elicitations.size > KEPT_ELICITATIONS) this.#elicitations.delete(this.#elicitations.keys().next().value!);
  }
}

/** A client that waits for a task's result expects what the task asks on the same stream. */
function isWaitingFor({ ownId, sessionId }: TaskAsk, { text, ownName, caller }: ProviderCall): boolean {
  return text.message.method === 'tasks/result' && ownName === ownId && caller.sessionId === sessionId;
}

function close(ask: OpenAsk): void {
  clearTimeout(ask.timer);
  for (const call of ask.waiting) call.resumeClock(ask.waiting.length === 1);
  ask.waiting = [];
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
