import { GatewayError } from '../../core/errors.ts';
import type { EntryKind } from '../../core/providers/provider.ts';
import { LISTS } from './list-methods.ts';
import { ListQuestions } from './list-questions.ts';
import {
  isOut,
  type ListEvent,
  type ListRules,
  type ListState,
  listStep,
  UNREAD,
  type WantedBy,
} from './list-state.ts';
import { QuestionWaiters } from './question-waiters.ts';
import type { ListOutcome, ListProblem } from './read-list.ts';

/** Limits of what a timer takes. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface ListAskerHost {
  readonly upstream: string;
  readonly rules: ListRules;
  /** Silence after which an answer is overdue, in milliseconds. */
  readonly silenceMs: number;
  /** Reads the list over the present connection; `undefined` when it was given up. Never rejects. */
  read(signal: AbortSignal, onPage: () => void): Promise<ListOutcome | undefined>;
  /** Returns whether anything came from the server since then. */
  isHeardSince(time: number): boolean;
  /** Returns whether a connection that ends now harms nothing but this list. */
  isQuiet(): boolean;
  onOutcome(outcome: ListOutcome): void;
  /** The state has changed. */
  onStep(state: ListState, before: ListState): void;
}

/** Asks for one list of an upstream, again where need be, over one connection after the other. `listStep` decides. */
export class ListAsker {
  readonly #kind: EntryKind;
  readonly #host: ListAskerHost;
  #state: ListState = UNREAD;
  #isAttached = false;
  readonly #questions = new ListQuestions();
  #timer: NodeJS.Timeout | undefined;
  readonly #waiters = new QuestionWaiters();
  /** The problem of the last question that is over. */
  #problem: ListProblem | undefined;

  constructor(kind: EntryKind, host: ListAskerHost) {
    this.#kind = kind;
    this.#host = host;
  }

  get state(): ListState {
    return this.#state;
  }

  /** A connection is there; the list is asked for when its turn has come. */
  attach(): void {
    this.#isAttached = true;
    this.#arm();
  }

  /** Called when its turn has come: requests the list, unless this connection was asked already. */
  takeTurn(): void {
    this.#step({ name: 'turn' });
  }

  /** Called when the list is wanted. No effect without a connection. */
  want(by: WantedBy): void {
    if (this.#isAttached) this.#step({ name: 'wanted', by });
  }

  /**
   * Asks for the list now, or once more when the answer is there that is being waited for.
   * @returns when it was answered
   * @throws GatewayError that says how it failed
   */
  read(): Promise<void> {
    this.want('hand');
    if (this.#state.phase !== 'reading') return Promise.reject(notConnected(this.#host.upstream));
    const question = this.#state.isWanted ? this.#questions.count + 1 : this.#questions.count;
    return this.#waiters.wait(question);
  }

  /** The connection is gone. `lost` says why, where it ended by itself. `isAlone`: see `ListEvent`. */
  detach(lost?: { readonly reason: string; readonly isAlone: boolean }): void {
    this.#questions.abort();
    this.#waiters.settleBefore(Number.POSITIVE_INFINITY, () => notConnected(this.#host.upstream));
    this.#isAttached = false;
    if (lost === undefined) this.#step({ name: 'closed' });
    else {
      const problem = `${LISTS[this.#kind].method}: the connection ended when it was asked for (${lost.reason})`;
      this.#step({ name: 'lost', problem, isAlone: lost.isAlone });
    }
  }

  #step(event: ListEvent): void {
    const before = this.#state;
    const { state, ask } = listStep(before, event, { now: performance.now(), rules: this.#host.rules });
    this.#state = state;
    if (ask) this.#ask();
    this.#arm();
    if (state !== before) this.#host.onStep(state, before);
    if (!isOut(before)) return;
    const isOver = this.#state.phase !== 'reading';
    const failure = () => failureOf(this.#host.upstream, this.#problem);
    this.#waiters.settleBefore(isOver ? Number.POSITIVE_INFINITY : this.#questions.count, failure);
  }

  #ask(): void {
    const question = this.#questions.begin();
    const onPage = () => {
      if (this.#questions.notePage(question)) this.#arm();
    };
    void this.#host.read(question.signal, onPage).then((outcome) => {
      if (outcome !== undefined && !question.signal.aborted) this.#onOutcome(question, outcome);
    });
  }

  #onOutcome(question: AbortController, outcome: ListOutcome): void {
    const isNewest = this.#questions.end(question);
    // The newest question may still bring the list.
    if (outcome.kind !== 'read' && !isNewest) return;
    this.#problem = outcome.kind === 'failed' ? outcome.problem : undefined;
    if (this.#problem === undefined) this.#questions.abort();
    this.#host.onOutcome(outcome);
    this.#step(eventOf(outcome));
  }

  #arm(): void {
    clearTimeout(this.#timer);
    const { phase, dueAt } = this.#state;
    const at = phase === 'reading' ? this.#questions.signAt + this.#host.silenceMs : dueAt;
    if (at === undefined || !this.#isAttached) return;
    const waitMs = Math.min(Math.max(0, at - performance.now()), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.#onTimer(), waitMs);
  }

  #onTimer(): void {
    const { silenceMs, rules } = this.#host;
    if (this.#state.phase === 'reading') {
      const again = rules.asksUser ? '' : '; it is asked for again, and a late answer is taken too';
      const text = `${LISTS[this.#kind].method} was not answered within ${silenceMs / 1000} s${again}`;
      this.#problem = { text, code: 'UPSTREAM_TIMEOUT' };
      this.#step({ name: 'overdue', problem: text });
      return;
    }
    const isHeard = this.#host.isHeardSince(this.#questions.signAt + silenceMs);
    this.#step({ name: 'due', isHeard, isQuiet: this.#host.isQuiet() });
  }
}

function failureOf(upstream: string, problem: ListProblem | undefined): GatewayError | undefined {
  return problem && new GatewayError(problem.code, `${upstream}: ${problem.text}`, { upstream });
}

function notConnected(upstream: string): GatewayError {
  return new GatewayError('UPSTREAM_NOT_CONNECTED', `${upstream}: not connected`, { upstream });
}

function eventOf(outcome: ListOutcome): ListEvent {
  switch (outcome.kind) {
    case 'read':
      return { name: 'answered', goodForMs: outcome.list.ttlMs };
    case 'absent':
      return { name: 'absent' };
    case 'failed':
      return { name: 'failed', problem: outcome.problem.text, retryAfterMs: outcome.problem.retryAfterMs };
  }
}
