import { ALL_ASK_CAPABILITIES } from '../../era/capabilities.ts';
import type { LinkEnd } from '../faults/link-errors.ts';
import type { StartReason, StartTurn } from '../starts/start-turns.ts';
import { transportFor } from '../transports/index.ts';
import type { ClosedBecause, Transport, TransportEvents } from '../transports/transport.ts';
import type { ConnectionOptions, ConnectionOwner } from './connection-options.ts';
import { handshake, type Opening, type ServerFacts } from './handshake.ts';
import { Link } from './link.ts';

/** Receives the events of the present attempt; none of one that is over. */
export interface AttemptHost {
  readonly owner: ConnectionOwner;
  /** The handshake is done. */
  onConnected(link: Link, facts: ServerFacts): void;
  onClosed(attempt: Attempt, reason: string, why: ClosedBecause | undefined): void;
  onUnauthorized(reason: string): void;
  onHung(reason: string): void;
}

/** One opened transport, from its start to its end: first it is opened, then there is a handshake, then it is connected. */
export class Attempt {
  /** The way in which the server is opened. */
  readonly way: Opening;
  readonly #options: ConnectionOptions;
  readonly #host: AttemptHost;
  #opening: Promise<Transport> | undefined;
  #transport: Transport | undefined;
  #link: Link | undefined;
  /** The turn of a process, until its handshake is done. */
  #turn: StartTurn | undefined;
  #isConnected = false;
  #isOver = false;

  constructor(way: Opening, options: ConnectionOptions, host: AttemptHost) {
    this.way = way;
    this.#options = options;
    this.#host = host;
  }

  /** The link, from the handshake to the end. */
  get link(): Link | undefined {
    return this.#isConnected ? this.#link : undefined;
  }

  get transport(): Transport | undefined {
    return this.#transport;
  }

  /** True once the attempt was given up or replaced: what it says means nothing any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Waits until the process may be started. Servers that are there already cost too little to wait for each other. */
  async waitForTurn(reason: () => StartReason): Promise<void> {
    const { entry, starts } = this.#options;
    if (entry.command === undefined) return;
    this.#turn = starts?.begin(reason());
    await this.#turn?.granted;
  }

  /** Called when a caller waits for it. */
  hurry(): void {
    this.#turn?.hurry();
  }

  /**
   * Opens the transport and does the handshake, unless the attempt is over first.
   * @throws HandshakeError, NeedsAuthError, ImpossibleError, or any other error, which may pass by itself
   */
  async connect(): Promise<void> {
    const { entry, transport: context } = this.#options;
    const definition = (this.#options.transportFor ?? transportFor)(entry);
    this.#opening = definition.then((transport) => transport.open(entry, this.#transportEvents(), context));
    this.#transport = await this.#opening;
    if (this.#isOver) return;
    this.#link = this.#openLink(this.#transport);
    const facts = await handshake(this.#link, this.#handshakeOptions());
    if (this.#isOver) return;
    this.#isConnected = true;
    this.#turn?.end();
    // Upstreams that only a user restarts are left alone. A server at a url has no process of ours that could be
    // replaced.
    if (entry.restart !== 'never' && this.#transport.pid !== undefined) this.#link.watchWhileIdle();
    // At once, so that no caller finds a link that its owner does not know about.
    this.#host.onConnected(this.#link, facts);
  }

  /** Gives the attempt up: it tells nothing from now on. `end`, or `retire`, says what becomes of it. */
  leave(): void {
    this.#isOver = true;
    this.#turn?.end();
  }

  /** Closes the transport, as soon as it is open. */
  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  /** Fails what waits for an answer. */
  end(end: LinkEnd): void {
    this.#link?.end(end);
  }

  /**
   * Lets the requests that are open run out while the next connection is made, if its peer may still answer.
   * @param onIdle is called when none is left
   * @returns whether it does; else it must be ended
   */
  retire(end: LinkEnd, onIdle: () => void): boolean {
    const { link } = this;
    if (link === undefined || this.#transport?.finish?.() !== true) return false;
    link.retire(end, onIdle);
    return true;
  }

  #openLink(transport: Transport): Link {
    const { entry, faults } = this.#options;
    const onHung = (reason: string) => this.#host.onHung(reason);
    return new Link({ upstream: entry.key, transport, events: this.#host.owner, faults, onHung });
  }

  #handshakeOptions() {
    const { clientInfo, passed, entry } = this.#options;
    const capabilities = this.#options.capabilities?.() ?? ALL_ASK_CAPABILITIES;
    return { clientInfo, capabilities, passed, opening: this.way, timeoutMs: entry.timeouts.connectMs };
  }

  #transportEvents(): TransportEvents {
    const { owner } = this.#host;
    return {
      onFrame: (frame, of) => this.#link?.receiver.onFrame(frame, of),
      onLostLine: (line) => this.#link?.receiver.onLostLine(line),
      isWanted: (head) => this.#link?.receiver.isWanted(head) ?? true,
      onRequestFailed: (id, failure) => {
        this.#link?.receiver.onRequestFailed(id, failure);
        // A call that needs more scopes than we have says nothing about others: only 401 is about all of them.
        const isAboutAll = failure.status === 401 || !this.#isConnected;
        if (failure.code === 'UPSTREAM_NEEDS_AUTH' && isAboutAll && !this.#isOver)
          this.#host.onUnauthorized(failure.reason);
      },
      toolText: (ownName) => owner.toolText(ownName),
      onStderr: (line) => owner.onStderr(line),
      isAwaited: () => owner.hasOpenCalls,
      onMissed: () => {
        if (!this.#isOver && this.#isConnected) owner.onMissed();
      },
      onClosed: (reason, why) => {
        if (!this.#isOver) this.#host.onClosed(this, reason, why);
        // Requests that are still open will get no response.
        else this.#link?.end({ reason });
      },
    };
  }
}
