import type { RequestMessage } from '../../../wire/message.ts';
import { attribute, type Verdict } from './attribution.ts';
import type { AskOrigin, SuspectCall } from './suspects.ts';
import type { TaskAsk } from './task-ask.ts';

/** A call that may have caused a question. */
export interface AskedCall extends SuspectCall {
  /** The call's time stands still while its client has the question. */
  pauseClock(): void;
  resumeClock(): void;
}

/** Takes a question back from the client that has it. */
type Withdraw = (reason: string) => void;

/** A request of the upstream that is not answered yet. */
export class OpenAsk {
  readonly message: RequestMessage;
  /** The task because of which the upstream asks, where it names one. */
  readonly task: TaskAsk | undefined;
  /** Calls that were open when it came, and still are: one of them caused it. */
  readonly #suspects: Set<AskedCall>;
  /**
   * The owners of calls that may have caused it too, though they were given up. The answer to such a call proves nothing:
   * some servers answer a cancelled call at once, and do not take back what they have asked for it.
   */
  readonly #leftOwners: Set<string>;
  #timer: NodeJS.Timeout | undefined;
  #withdraw: Withdraw | undefined;
  /** The number of times it was given to a client. */
  #turn = 0;
  /** Calls whose time stands still until the client has answered. */
  #waiting: readonly AskedCall[] = [];

  constructor(
    message: RequestMessage,
    task: TaskAsk | undefined,
    { open, left }: Pick<AskOrigin<AskedCall>, 'open' | 'left'>,
  ) {
    this.message = message;
    this.task = task;
    this.#suspects = new Set(open);
    this.#leftOwners = new Set(left.values());
  }

  get suspects(): ReadonlySet<AskedCall> {
    return this.#suspects;
  }

  /** Tells whether a client has it. */
  get isGiven(): boolean {
    return this.#withdraw !== undefined;
  }

  /** Returns the client that it belongs to, as far as that is known by now. */
  verdict(): Verdict<AskedCall> {
    return attribute({ open: [...this.#suspects], leftOwners: this.#leftOwners });
  }

  /**
   * Notes that a call is over. One that was given up, and not answered, may have caused the question all the same.
   * @returns whether the call was one of those that may have
   */
  onCallSettled(call: AskedCall): boolean {
    if (!this.#suspects.delete(call)) return false;
    if (call.mayGoOn) this.#leftOwners.add(call.owner);
    return true;
  }

  /** Calls `onOver` once after this time, unless the question is given or closed first. No effect while it waits already. */
  waitAtMost(limitMs: number, onOver: () => void): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      onOver();
    }, limitMs);
    this.#timer.unref();
  }

  /** Called when it is about to be given to a client. Returns the number of this attempt. */
  beginTurn(): number {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return ++this.#turn;
  }

  /** Returns whether no other attempt to give it has followed this one. */
  isTurn(turn: number): boolean {
    return this.#turn === turn;
  }

  /** A client has it; the time of the calls that may have caused it stands still. */
  onGiven(withdraw: Withdraw): void {
    this.#withdraw = withdraw;
    this.#waiting = [...this.#suspects];
    for (const call of this.#waiting) call.pauseClock();
  }

  /** The client has it no longer, and nothing of it waits. Returns how it is taken back from that client. */
  close(): Withdraw | undefined {
    const withdraw = this.#withdraw;
    this.#withdraw = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const call of this.#waiting) call.resumeClock();
    this.#waiting = [];
    return withdraw;
  }
}
