/** The state of one list of an upstream. Times are milliseconds of one steady clock. */
export interface ListState {
  /**
   * `unread`: this connection has not asked for it yet. `reading`: a question is out. `silent`: a question is out and
   * overdue. `absent`: the server has no such list.
   */
  readonly phase: 'unread' | 'reading' | 'silent' | 'read' | 'absent' | 'failed';
  /** Attempts in a row that brought nothing. */
  readonly failures: number;
  /** Connections in a row that ended while the server was asked for this list. */
  readonly losses: number;
  /** The reason why the last attempt brought nothing; gone when the list is there. */
  readonly problem: string | undefined;
  /** The time at which it is asked for again without a request for it. */
  readonly dueAt: number | undefined;
  /** True if this connection has answered: with the list, or by saying that there is none. */
  readonly isKnown: boolean;
  /** The server said itself when to come back: only a person may ask sooner. */
  readonly isHeldOff: boolean;
  /** True if a list is wanted that is newer than the response to the open request. */
  readonly isWanted: boolean;
  readonly askedAt: number;
}

/** The one who wants a list: a person or command, the server, which says that it changed, or a call of an unlisted tool. */
export type WantedBy = 'hand' | 'change' | 'call';

export type ListEvent =
  /** A connection is there and this list may be asked for now. */
  | { readonly name: 'turn' }
  | { readonly name: 'wanted'; readonly by: WantedBy }
  | { readonly name: 'answered'; readonly goodForMs?: number | undefined }
  | { readonly name: 'absent' }
  | { readonly name: 'failed'; readonly problem: string; readonly retryAfterMs?: number | undefined }
  | { readonly name: 'overdue'; readonly problem: string }
  /**
   * `dueAt` has come. `isHeard`: something came from the server since the list was overdue. `isQuiet`: no other list is
   * asked for and no call is open, so that a connection that ends now does no harm.
   */
  | { readonly name: 'due'; readonly isHeard: boolean; readonly isQuiet: boolean }
  /** The connection ended by itself. `isAlone`: no other list was asked for. */
  | { readonly name: 'lost'; readonly problem: string; readonly isAlone: boolean }
  /** The connection ended for a reason that has nothing to do with this list. */
  | { readonly name: 'closed' };

export interface ListRules {
  /** Longest pause before a list is asked for again; pauses double from a second up to it. */
  readonly maxPauseMs: number;
  /** Silence means that the server asks its user: it is not asked again by itself as long as nothing comes from it. */
  readonly asksUser: boolean;
}

export interface ListContext {
  readonly now: number;
  readonly rules: ListRules;
}

export interface ListStep {
  readonly state: ListState;
  /** True if the list must be requested now. */
  readonly ask: boolean;
}

export const FIRST_PAUSE_MS = 1_000;
/** A server that says "tomorrow" is asked sooner all the same. */
export const MAX_RETRY_AFTER_MS = 5 * 60 * 1_000;
/** Lists that are good for less are read no more often than this; a timer takes no more than the other. */
const MIN_GOOD_MS = 60_000;
const MAX_GOOD_MS = 24 * 60 * 60 * 1_000;

/** The number of connections in a row that must end during a list before the list counts as the cause. */
export const CULPRIT = 2;

export const UNREAD: ListState = {
  phase: 'unread',
  failures: 0,
  problem: undefined,
  dueAt: undefined,
  losses: 0,
  isKnown: false,
  isHeldOff: false,
  isWanted: false,
  askedAt: 0,
};

/** Returns the pause after a number of failures in a row, in milliseconds: doubled each time. */
export function pauseMs(failures: number, { maxPauseMs }: ListRules): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.max(0, failures - 1), maxPauseMs);
}

/**
 * Returns the next state of a list: the only way from one state to another. An event that means nothing in a state changes
 * nothing.
 * @param state what is known of the list
 * @param event what happened
 * @param context the time and the rules
 * @returns the next state, and whether the list must be requested now
 */
export function listStep(state: ListState, event: ListEvent, context: ListContext): ListStep {
  switch (event.name) {
    case 'turn':
      return state.phase === 'unread' ? take(state, context) : stay(state);
    case 'wanted':
      return wanted(state, event.by, context);
    case 'answered':
      return settle({ ...known(state, 'read'), dueAt: expiry(event.goodForMs, context) }, context);
    case 'absent':
      return settle(known(state, 'absent'), context);
    case 'failed':
      return failed(state, event, context);
    case 'overdue':
      return overdue(state, event.problem, context);
    case 'due':
      return due(state, event, context);
    case 'lost':
      return stay(lost(state, event, context));
    case 'closed':
      return stay(unread(state));
  }
}

/** Returns whether a question for it is out, overdue or not. */
export function isOut({ phase }: ListState): boolean {
  return phase === 'reading' || phase === 'silent';
}

/** Returns whether this connection has said all that it will say about the list for now. */
export function isSettled({ phase }: ListState): boolean {
  return phase !== 'unread' && phase !== 'reading';
}

function stay(state: ListState): ListStep {
  return { state, ask: false };
}

function take(state: ListState, { now }: ListContext): ListStep {
  const next = {
    ...state,
    phase: 'reading',
    isWanted: false,
    isHeldOff: false,
    dueAt: undefined,
    askedAt: now,
  } as const;
  return { state: next, ask: true };
}

function wanted(state: ListState, by: WantedBy, context: ListContext): ListStep {
  // Agents try a name again and again; that is no reason to ask as often.
  if (by === 'call' && context.now - state.askedAt < pauseMs(1, context.rules)) return stay(state);
  switch (state.phase) {
    case 'unread':
      return by === 'hand' ? take(state, context) : stay(state);
    case 'reading':
      return stay(by === 'call' ? state : { ...state, isWanted: true });
    case 'silent':
      return by === 'call' && context.rules.asksUser ? stay(state) : take(state, context);
    case 'failed':
      return state.isHeldOff && by !== 'hand' ? stay(state) : take(state, context);
    case 'read':
    case 'absent':
      return by === 'call' ? stay(state) : take(state, context);
  }
}

function known(state: ListState, phase: 'read' | 'absent'): ListState {
  const { isWanted, askedAt } = state;
  return { ...UNREAD, phase, isKnown: true, isWanted, askedAt };
}

/** Asks again at once for a list that was wanted meanwhile. */
function settle(state: ListState, context: ListContext): ListStep {
  return state.isWanted ? take(state, context) : stay(state);
}

/** A server that says "not at all" gives no hint. */
function expiry(goodForMs: number | undefined, { now }: ListContext): number | undefined {
  if (goodForMs === undefined || goodForMs === 0) return undefined;
  return now + Math.min(Math.max(goodForMs, MIN_GOOD_MS), MAX_GOOD_MS);
}

type Failure = Extract<ListEvent, { name: 'failed' }>;

function failed(state: ListState, { problem, retryAfterMs }: Failure, context: ListContext): ListStep {
  const { now, rules } = context;
  // The silence before was counted already.
  const failures = state.phase === 'silent' ? state.failures : state.failures + 1;
  const pause = retryAfterMs === undefined ? pauseMs(failures, rules) : Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
  const isHeldOff = retryAfterMs !== undefined && retryAfterMs > 0;
  const next: ListState = { ...state, phase: 'failed', failures, losses: 0, problem, dueAt: now + pause, isHeldOff };
  return settle(next, context);
}

/** The pause counts from the question on: silence was a pause itself. */
function overdue(state: ListState, problem: string, context: ListContext): ListStep {
  if (state.phase !== 'reading') return stay(state);
  const { now, rules } = context;
  const failures = state.failures + 1;
  const dueAt = Math.max(now + pauseMs(1, rules), state.askedAt + pauseMs(failures, rules));
  return settle({ ...state, phase: 'silent', failures, problem, dueAt }, context);
}

type Due = Extract<ListEvent, { name: 'due' }>;

function due(state: ListState, { isHeard, isQuiet }: Due, context: ListContext): ListStep {
  if (state.dueAt === undefined) return stay(state);
  const mayAsk = state.phase === 'silent' ? isHeard || !context.rules.asksUser : isQuiet || state.losses < CULPRIT;
  if (mayAsk) return take(state, context);
  return stay({ ...state, dueAt: context.now + pauseMs(state.failures, context.rules) });
}

/** Returns the state for the next connection. The time before which the list must not be requested still holds there. */
function unread(state: ListState): ListState {
  if (state.isHeldOff || (state.phase === 'failed' && state.losses >= CULPRIT))
    return { ...state, isWanted: false, isKnown: false };
  return { ...UNREAD, losses: state.losses, problem: state.problem };
}

type Lost = Extract<ListEvent, { name: 'lost' }>;

/**
 * A list that ends its connection again and again must not cost the others: it comes last, alone, and after a pause. Where
 * several were asked for, each may be the one.
 */
function lost(state: ListState, { problem, isAlone }: Lost, { now, rules }: ListContext): ListState {
  if (state.phase !== 'reading') return unread(state);
  const losses = isAlone ? state.losses + 1 : Math.max(state.losses, 1);
  if (losses < CULPRIT) return { ...unread(state), losses };
  const dueAt = now + pauseMs(losses - 1, rules);
  return { ...UNREAD, phase: 'failed', failures: losses, losses, problem, dueAt };
}
