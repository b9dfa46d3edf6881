import type { LinkEnd } from '../faults/link-errors.ts';
import { Attempts } from './attempts.ts';
import type { ConnectionOptions, ConnectionOwner } from './connection-options.ts';
import type { Link } from './link.ts';
import {
  type Action,
  type ConnectionEvent,
  type ConnectionState,
  initialMachine,
  type Machine,
  type RestartRule,
  transition,
} from './machine.ts';

/** The events that end a connection that there is. */
const ENDS: ReadonlySet<ConnectionEvent['name']> = new Set([
  'lost',
  'expired',
  'renewed',
  'impossible',
  'unauthorized',
  'unused',
  'stop',
]);

/** States that people should know about. */
const TROUBLES: ReadonlySet<ConnectionState['name']> = new Set(['backoff', 'crash-loop', 'failed', 'needs-auth']);

/** Keeps one upstream connected: executes what the state machine decides. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #owner: ConnectionOwner;
  readonly #attempts: Attempts;
  #machine: Machine = initialMachine(Date.now());
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(options: ConnectionOptions, owner: ConnectionOwner) {
    this.#options = options;
    this.#owner = owner;
    this.#attempts = new Attempts(options, owner, (event) => this.#dispatch(event));
  }

  get state(): ConnectionState {
    return this.#machine.state;
  }

  /** The live link, from the handshake to the end. */
  get link(): Link | undefined {
    return this.#attempts.present?.link;
  }

  get pid(): number | undefined {
    return this.#attempts.present?.transport?.pid;
  }

  /** The number of times that the upstream was started. */
  get starts(): number {
    return this.#attempts.starts;
  }

  /**
   * Asks for a connection.
   * @param force as people do, and calls do not: what has failed for good is tried again
   * @param isUrgent a call waits for it; otherwise it comes after those that calls wait for
   */
  want(force: boolean, isUrgent = true): void {
    if (isUrgent) this.#attempts.hurry();
    this.#dispatch({ name: 'wanted', force });
  }

  /** Replaces the connection by a new one, at once. */
  renew(reason: string): void {
    this.#dispatch({ name: 'renewed', reason });
  }

  /** The lists that the upstream is there for have been read. */
  onListed(): void {
    this.#dispatch({ name: 'listed' });
  }

  /** The lists that the upstream is there for could not be read. */
  onUnlisted(reason: string): void {
    this.#dispatch({ name: 'unlisted', reason });
  }

  /** Ends the connection until the next call: it is not used. */
  endUnused(reason: string): void {
    this.#dispatch({ name: 'unused', reason });
  }

  /** Ends the connection; resolves when the process is gone. */
  stop(reason: string, byHand: boolean): Promise<void> {
    this.#dispatch({ name: 'stop', reason, byHand });
    this.#attempts.endRetired(reason);
    return this.#attempts.closed;
  }

  /** Called after a login, which may have been to this upstream. */
  onCredentialsChanged(): void {
    this.#attempts.present?.transport?.onCredentialsChanged?.();
  }

  #dispatch(unmasked: ConnectionEvent): void {
    const { mask, entry } = this.#options;
    const event = 'reason' in unmasked ? { ...unmasked, reason: mask(unmasked.reason) } : unmasked;
    const before = this.#machine.state;
    const { machine, actions } = transition(this.#machine, event, {
      now: Date.now(),
      restart: entry.restart,
      jitter: Math.random(),
      isDialled: entry.command === undefined,
    });
    this.#machine = machine;
    // Owners are told of the end first: pending calls must fail before anything new begins.
    if (ENDS.has(event.name) && 'reason' in event)
      this.#attempts.drop(endOf(machine.state, event.reason, entry.restart), event.name);
    for (const action of actions) this.#perform(action);
    if (machine.state === before) return;
    logState(machine.state, this.#options, { pid: this.pid, starts: this.starts });
    this.#owner.onState(machine.state, before);
  }

  #perform(action: Action): void {
    switch (action) {
      case 'open':
        void this.#attempts.open();
        break;
      case 'close':
        void this.#attempts.closed.then(() => this.#dispatch({ name: 'closed' }));
        break;
      case 'arm-retry':
        this.#armRetry();
        break;
      case 'disarm-retry':
        clearTimeout(this.#retryTimer);
    }
  }

  #armRetry(): void {
    const { state } = this.#machine;
    if (state.name !== 'backoff') return;
    this.#retryTimer = setTimeout(() => this.#dispatch({ name: 'retry-due' }), Math.max(0, state.retryAt - Date.now()));
  }
}

interface ProcessFacts {
  readonly pid: number | undefined;
  readonly starts: number;
}

function logState(state: ConnectionState, { log, entry }: ConnectionOptions, process: ProcessFacts): void {
  const fields = { event: 'state', state: state.name, ...('reason' in state && { reason: state.reason }) };
  log[TROUBLES.has(state.name) ? 'warn' : 'info']({ ...fields, ...process }, `${entry.key} is ${state.name}`);
}

/** Tells how a connection ends: when there will be one again, by itself or by the next call, or what is wanted first. */
function endOf(state: ConnectionState, reason: string, restart: RestartRule): LinkEnd {
  if (state.name === 'needs-auth') return { reason, code: 'UPSTREAM_NEEDS_AUTH' };
  if (state.name === 'backoff') return { reason, retryAfterMs: Math.max(0, state.retryAt - Date.now()) };
  if (state.name === 'idle') return { reason, retryAfterMs: 0 };
  const comesByCall = state.name === 'stopped' && restart === 'on-demand' && !state.byHand;
  return comesByCall ? { reason, retryAfterMs: 0 } : { reason };
}
