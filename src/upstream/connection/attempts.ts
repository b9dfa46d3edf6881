import { ImpossibleError } from '../../core/impossible-error.ts';
import type { LinkEnd } from '../faults/link-errors.ts';
import { type ClosedBecause, NeedsAuthError } from '../transports/transport.ts';
import { Attempt, type AttemptHost } from './attempt.ts';
import type { ConnectionOptions, ConnectionOwner } from './connection-options.ts';
import { HandshakeError, type ServerFacts } from './handshake.ts';
import type { Link } from './link.ts';
import type { ConnectionEvent } from './machine.ts';
import { ServerEra } from './server-era.ts';

/** Ends that may be no more than one request's bad luck. */
const MAY_FINISH: ReadonlySet<ConnectionEvent['name']> = new Set(['lost', 'expired', 'unauthorized']);

/** The attempts to connect one upstream: one at a time, and those before it that still have something to answer. */
export class Attempts {
  readonly #options: ConnectionOptions;
  readonly #owner: ConnectionOwner;
  readonly #onEvent: (event: ConnectionEvent) => void;
  readonly #era: ServerEra;
  /** Events of an older one mean nothing any more. */
  #present: Attempt | undefined;
  /** The attempts that were replaced but still have responses to deliver. */
  readonly #retired = new Set<Attempt>();
  #closed: Promise<void> = Promise.resolve();
  #starts = 0;
  /** True if a caller waits for a connection. */
  #isUrgent = false;

  /** @param onEvent is told what happens to the present attempt */
  constructor(options: ConnectionOptions, owner: ConnectionOwner, onEvent: (event: ConnectionEvent) => void) {
    this.#options = options;
    this.#owner = owner;
    this.#onEvent = onEvent;
    this.#era = new ServerEra(options.entry, options.eras);
  }

  get present(): Attempt | undefined {
    return this.#present;
  }

  /** The number of times that the upstream was started. */
  get starts(): number {
    return this.#starts;
  }

  /** Resolves when the processes of all earlier attempts are gone. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  /** Called when a caller waits for the connection: it then starts before those without a waiter. */
  hurry(): void {
    this.#isUrgent = true;
    this.#present?.hurry();
  }

  /** Begins an attempt. It must have been dropped before the next one begins. Never rejects. */
  async open(): Promise<void> {
    const attempt = new Attempt(this.#era.opening, this.#options, this.#host());
    this.#present = attempt;
    // The old process of a replaced connection may still hold what the new one needs.
    await this.#closed;
    if (attempt.isOver) return;
    await attempt.waitForTurn(() => (this.#isUrgent ? 'wanted' : this.#owner.knowsTools ? 'known' : 'unknown'));
    if (attempt.isOver) return;
    this.#starts++;
    try {
      await attempt.connect();
    } catch (error) {
      if (!attempt.isOver) this.#onEvent(eventOf(error));
    }
  }

  /**
   * Lets go of the present attempt, if any, and of what waits on it, unless that may still be answered.
   * @param why the name of the event that ends it
   */
  drop(end: LinkEnd, why: ConnectionEvent['name']): void {
    const attempt = this.#present;
    if (attempt === undefined) return;
    this.#present = undefined;
    const isConnected = attempt.link !== undefined;
    attempt.leave();
    if (!isConnected || !MAY_FINISH.has(why) || !this.#retire(attempt, end)) {
      this.#close(attempt);
      attempt.end(end);
    }
    if (isConnected) this.#owner.onDisconnected(end.reason, why === 'lost');
    else this.#era.onNotConnected(attempt.way);
  }

  /** Fails what earlier attempts still have to answer. */
  endRetired(reason: string): void {
    for (const attempt of this.#retired) attempt.end({ reason });
  }

  /** Lets what has cut off one request not cut off others: they run out while the next connection is made. */
  #retire(attempt: Attempt, end: LinkEnd): boolean {
    this.#retired.add(attempt);
    const isRetired = attempt.retire(end, () => {
      this.#retired.delete(attempt);
      this.#close(attempt);
    });
    if (!isRetired) this.#retired.delete(attempt);
    return isRetired;
  }

  #close(attempt: Attempt): void {
    this.#closed = Promise.allSettled([this.#closed, attempt.close()]).then(() => undefined);
  }

  #onConnected(link: Link, facts: ServerFacts): void {
    this.#isUrgent = false;
    this.#era.onConnected(facts.era);
    this.#owner.onConnected(link, facts);
  }

  #host(): AttemptHost {
    return {
      owner: this.#owner,
      onConnected: (link, facts) => this.#onConnected(link, facts),
      onClosed: (attempt, reason, why) => this.#onClosed(attempt, reason, why),
      onUnauthorized: (reason) => this.#onEvent({ name: 'unauthorized', reason }),
      onHung: (reason) => this.#onHung(reason),
    };
  }

  #onClosed(attempt: Attempt, reason: string, why: ClosedBecause | undefined): void {
    const isConnected = attempt.link !== undefined;
    if (why === 'unauthorized' || (why === 'expired' && isConnected)) {
      this.#onEvent({ name: why, reason });
      return;
    }
    const wasAsked = attempt.way === 'ask' || attempt.way === 'assume-modern';
    // A server that was never reached cannot have objected to the question.
    if (isConnected || !wasAsked || attempt.transport?.wasReached !== true) {
      this.#onEvent({ name: 'lost', reason, isOfList: isConnected && this.#owner.isAskingCulprit });
    } else if (this.#options.entry.restart === 'never') {
      const hint = 'it ended when it was asked for its protocol version; if it is an old server, set "era: legacy"';
      this.#onEvent({ name: 'lost', reason: `${reason}; ${hint}` });
    } else {
      this.#openWithoutAsking(reason);
    }
  }

  /** An old server may be of the kind that ends at a request which it does not know. That is no crash, and happens once. */
  #openWithoutAsking(reason: string): void {
    this.#options.log.info({ event: 'died-of-asking', reason }, 'it ended when it was asked for its era; started anew');
    this.#era.onDiedOfAsking();
    this.drop({ reason }, 'lost');
    void this.open();
  }

  #onHung(reason: string): void {
    if (this.#options.entry.restart !== 'never') {
      this.#onEvent({ name: 'lost', reason });
      return;
    }
    // Only people start it: a new process may ask its user for leave, and this one may be waiting for just that.
    this.#options.log.warn({ event: 'hung', reason }, 'it hangs and is left alone, because it is started by hand only');
  }
}

function eventOf(error: unknown): ConnectionEvent {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof NeedsAuthError) return { name: 'unauthorized', reason };
  const isImpossible = error instanceof ImpossibleError || error instanceof HandshakeError;
  return isImpossible ? { name: 'impossible', reason } : { name: 'lost', reason };
}
