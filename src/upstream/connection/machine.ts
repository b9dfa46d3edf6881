/** The states of an upstream connection. `since` and times are in milliseconds since the epoch. */
export type ConnectionState =
  /** Not started yet, or stopped because it was not used (then with a reason). What is known of it still holds. */
  | { readonly name: 'idle'; readonly since: number; readonly reason?: string }
  | { readonly name: 'stopped'; readonly since: number; readonly reason: string; readonly byHand: boolean }
  | { readonly name: 'starting'; readonly since: number; readonly attempt: number }
  | { readonly name: 'ready'; readonly since: number }
  | { readonly name: 'waiting'; readonly since: number; readonly reason: string }
  | {
      readonly name: 'backoff';
      readonly since: number;
      readonly attempt: number;
      readonly retryAt: number;
      readonly reason: string;
    }
  | { readonly name: 'crash-loop'; readonly since: number; readonly reason: string }
  | { readonly name: 'failed'; readonly since: number; readonly reason: string }
  /** The upstream wants authorization that only its user can give: nothing is tried until it is requested. */
  | { readonly name: 'needs-auth'; readonly since: number; readonly reason: string }
  | { readonly name: 'stopping'; readonly since: number; readonly reason: string; readonly byHand: boolean };

export type StateName = ConnectionState['name'];

export type ConnectionEvent =
  /** A connection is wanted: forced when the gateway starts or a user asks, not forced when a call arrives. */
  | { readonly name: 'wanted'; readonly force: boolean }
  /** The upstream's main lists have been read, for the first time or again. */
  | { readonly name: 'listed' }
  /** Connected, but what it is there for is not listed: a list failed, or is not answered. */
  | { readonly name: 'unlisted'; readonly reason: string }
  /**
   * The connection could not be made, or ended by itself. `isOfList`: it ended, and not for the first time, because of a
   * list that is asked for rarely. That says nothing about the rest, so it does not count towards a crash loop.
   */
  | { readonly name: 'lost'; readonly reason: string; readonly isOfList?: boolean }
  /** The server is well, but has forgotten the session. */
  | { readonly name: 'expired'; readonly reason: string }
  /** The connection should be replaced, although nothing is wrong with it. */
  | { readonly name: 'renewed'; readonly reason: string }
  /** The connection can never be made as configured: command not found, folder missing. */
  | { readonly name: 'impossible'; readonly reason: string }
  /** The other end wants authorization that only its user can give. */
  | { readonly name: 'unauthorized'; readonly reason: string }
  | { readonly name: 'retry-due' }
  /** It is not used: it ends until the next call. */
  | { readonly name: 'unused'; readonly reason: string }
  /** A stop; `byHand`: a user wants it, so only a user brings the connection back. */
  | { readonly name: 'stop'; readonly reason: string; readonly byHand: boolean }
  /** The process is gone, after `stop`. */
  | { readonly name: 'closed' };

/** An action that the owner must take after a transition. */
export type Action = 'open' | 'close' | 'arm-retry' | 'disarm-retry';

export interface Machine {
  readonly state: ConnectionState;
  /** The times at which the connection was lost recently; emptied after a minute without a loss. */
  readonly losses: readonly number[];
}

export interface Transition {
  readonly machine: Machine;
  readonly actions: readonly Action[];
}

export type RestartRule = 'never' | 'on-demand' | 'always';

/**
 * Limits on starting again: pauses double from `firstDelayMs` to `maxDelayMs`, with jitter. `losses` within `windowMs` end the
 * attempts; a connection that lasts `healthyMs` resets them.
 */
export const SPAWN_BUDGET = {
  firstDelayMs: 250,
  maxDelayMs: 30_000,
  losses: 5,
  windowMs: 180_000,
  healthyMs: 60_000,
} as const;

export interface MachineContext {
  readonly now: number;
  readonly restart: RestartRule;
  /** A random number in [0, 1) that spreads the delays of upstreams that failed together. */
  readonly jitter: number;
  /** The other end is only dialled: a failed attempt costs no process, so it is tried for as long as it takes. */
  readonly isDialled?: boolean;
}

export function initialMachine(now: number): Machine {
  return { state: { name: 'idle', since: now }, losses: [] };
}

/** Returns the next state: the only way from one state to another. An event that means nothing in a state changes nothing. */
export function transition(machine: Machine, event: ConnectionEvent, context: MachineContext): Transition {
  const { state } = machine;
  switch (event.name) {
    case 'wanted':
      return want(machine, event.force, context);
    case 'listed':
      return isLive(state) && state.name !== 'ready'
        ? to(machine, { name: 'ready', since: context.now })
        : stay(machine);
    case 'unlisted':
      return unlisted(machine, event.reason, context);
    case 'lost':
      return lost(machine, event, context);
    case 'expired':
      return state.name === 'ready' ? renew(machine, event.reason, context) : lost(machine, event, context);
    case 'renewed':
      return isLive(state) ? open(machine, 1, context, []) : stay(machine);
    case 'impossible':
      return isLive(state) ? to(machine, { name: 'failed', since: context.now, reason: event.reason }) : stay(machine);
    case 'unauthorized':
      return isLive(state)
        ? to(machine, { name: 'needs-auth', since: context.now, reason: event.reason })
        : stay(machine);
    case 'retry-due':
      return state.name === 'backoff' ? open(machine, state.attempt + 1, context, []) : stay(machine);
    case 'unused':
      return state.name === 'ready'
        ? to(machine, { name: 'idle', since: context.now, reason: event.reason })
        : stay(machine);
    case 'stop':
      return stop(machine, event, context);
    case 'closed':
      return state.name === 'stopping'
        ? to(machine, { name: 'stopped', since: context.now, reason: state.reason, byHand: state.byHand })
        : stay(machine);
  }
}

/** Returns true if there is a process or connection that must be closed before the state may be left. */
export function isLive(state: ConnectionState): boolean {
  return state.name === 'starting' || state.name === 'ready' || state.name === 'waiting';
}

/**
 * Returns true if the last known lists are still offered: while there is a connection, while one is being made, or if
 * one will be made automatically or at the next call. A call to an upstream that needs authorization is answered with
 * how to authorize it.
 */
export function isOffering(state: ConnectionState, restart: RestartRule): boolean {
  if (isLive(state) || OFFERING.has(state.name)) return true;
  return state.name === 'stopped' && restart === 'on-demand' && !state.byHand;
}

const OFFERING: ReadonlySet<StateName> = new Set(['backoff', 'idle', 'needs-auth']);

function to(machine: Machine, state: ConnectionState, actions: readonly Action[] = []): Transition {
  return { machine: { state, losses: machine.losses }, actions };
}

function stay(machine: Machine): Transition {
  return { machine, actions: [] };
}

function open(machine: Machine, attempt: number, context: MachineContext, before: readonly Action[]): Transition {
  return to(machine, { name: 'starting', since: context.now, attempt }, [...before, 'open']);
}

function want(machine: Machine, force: boolean, context: MachineContext): Transition {
  switch (machine.state.name) {
    case 'idle':
      return open(machine, 1, context, []);
    case 'stopped':
      return force || mayStartByItself(machine.state, context) ? open(machine, 1, context, []) : stay(machine);
    case 'backoff':
      return force ? open({ ...machine, losses: [] }, 1, context, ['disarm-retry']) : stay(machine);
    case 'crash-loop':
    case 'failed':
    case 'needs-auth':
      return force ? open({ ...machine, losses: [] }, 1, context, []) : stay(machine);
    default:
      return stay(machine);
  }
}

type StoppedState = Extract<ConnectionState, { name: 'stopped' }>;

/** `restart: never` means that only people start it: Xcode asks its user about each new process. */
function mayStartByItself(state: StoppedState, { restart }: MachineContext): boolean {
  return !state.byHand && restart !== 'never';
}

/** One that was ready stays so: the lists from before are good as long as there are no newer ones. */
function unlisted(machine: Machine, reason: string, { now }: MachineContext): Transition {
  const { state } = machine;
  if (state.name === 'waiting') return state.reason === reason ? stay(machine) : to(machine, { ...state, reason });
  return state.name === 'starting' ? to(machine, { name: 'waiting', since: now, reason }) : stay(machine);
}

interface Loss {
  readonly reason: string;
  readonly isOfList?: boolean;
}

function lost(machine: Machine, loss: Loss, context: MachineContext): Transition {
  return isLive(machine.state) ? lose(machine, loss, context) : stay(machine);
}

/**
 * Begins a new session regardless of the restart rule, because only the session has ended: at once, unless the previous
 * one did not last either.
 */
function renew(machine: Machine, reason: string, context: MachineContext): Transition {
  const { now } = context;
  const losses = [...recentLosses(machine, now), now];
  const after: Machine = { state: machine.state, losses };
  return losses.length === 1 ? open(after, 1, context, []) : backOff(after, reason, context);
}

function lose(machine: Machine, { reason, isOfList }: Loss, context: MachineContext): Transition {
  const losses = recentLosses(machine, context.now);
  const after: Machine = { state: machine.state, losses: isOfList === true ? losses : [...losses, context.now] };
  const since = context.now;
  if (context.restart === 'never') return to(after, { name: 'stopped', since, reason, byHand: false });
  if (context.isDialled !== true && after.losses.length >= SPAWN_BUDGET.losses)
    return to(after, { name: 'crash-loop', since, reason });
  if (context.restart === 'on-demand') return to(after, { name: 'stopped', since, reason, byHand: false });
  return backOff(after, reason, context);
}

function backOff(machine: Machine, reason: string, { now, jitter }: MachineContext): Transition {
  const attempt = Math.max(1, machine.losses.length);
  const retryAt = now + retryDelayMs(attempt, jitter);
  return to(machine, { name: 'backoff', since: now, attempt, retryAt, reason }, ['arm-retry']);
}

function recentLosses(machine: Machine, now: number): readonly number[] {
  const { state, losses } = machine;
  if (state.name === 'ready' && now - state.since >= SPAWN_BUDGET.healthyMs) return [];
  return losses.filter((time) => now - time < SPAWN_BUDGET.windowMs);
}

/** Delay before attempt `attempt + 1`: doubled each time, up to a fifth shorter by jitter. */
export function retryDelayMs(attempt: number, jitter: number): number {
  const full = Math.min(SPAWN_BUDGET.firstDelayMs * 2 ** (attempt - 1), SPAWN_BUDGET.maxDelayMs);
  return Math.round(full * (1 - jitter * 0.2));
}

type StopEvent = Extract<ConnectionEvent, { name: 'stop' }>;

function stop(machine: Machine, { reason, byHand }: StopEvent, { now }: MachineContext): Transition {
  const { state } = machine;
  if (state.name === 'stopping') return stay(machine);
  if (isLive(state)) return to(machine, { name: 'stopping', since: now, reason, byHand }, ['close']);
  const stopped: ConnectionState = { name: 'stopped', since: now, reason, byHand };
  return to(machine, stopped, state.name === 'backoff' ? ['disarm-retry'] : []);
}
