import type { Duplex, Readable, Writable } from 'node:stream';
import { ClientLink } from './client-link.ts';
import { GatewayLink } from './gateway-link.ts';
import { Journal } from './journal/journal.ts';
import type { Line } from './lines/line.ts';
import { LineRelay } from './lines/line-relay.ts';
import { type GatewayFinder, Reconnecting } from './reconnecting.ts';
import { SessionOpening } from './session-opening.ts';

export interface ShimEnd {
  /** True if the client itself ended the connection. */
  readonly clean: boolean;
  readonly reason: string;
}

interface ShimOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The lines that each gateway gets first. */
  readonly introduction: string;
  readonly finder: GatewayFinder;
}

/**
 * Connects a client to the gateway that runs, and to another one when that has ended: the client keeps its session, and each
 * of its requests is answered once.
 */
export class Shim {
  readonly #introduction: string;
  readonly #reconnecting: Reconnecting;
  readonly #journal = new Journal();
  readonly #client: ClientLink;
  readonly #fromClient: LineRelay;
  #gateway: GatewayLink | undefined;
  /** Exists while another gateway has not answered `initialize`. */
  #opening: SessionOpening | undefined;
  #resolve: ((end: ShimEnd) => void) | undefined;
  /** Resolves when the client has gone, or can be served no more. */
  readonly ended: Promise<ShimEnd>;

  constructor(socket: Duplex, { input, output, introduction, finder }: ShimOptions) {
    this.#introduction = introduction;
    this.#reconnecting = new Reconnecting(finder);
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    this.#fromClient = relayNotedIn(this.#journal, {
      admit: (line) => this.#journal.fromClient(line),
      write: (bytes) => this.#gateway?.write(bytes),
    });
    this.#client = new ClientLink(input, output, {
      onData: (chunk) => this.#gateway?.together(() => this.#fromClient.push(chunk)),
      onCrowded: (isCrowded) => (isCrowded ? this.#gateway?.hold() : this.#gateway?.release()),
      onEnd: () => this.#onClientEnd(),
      onGone: () => this.stop('the client has closed its end'),
    });
    this.#connect(socket);
  }

  /** Ends both connections. */
  stop(reason: string): void {
    this.#endGateway();
    this.#client.close();
    this.#resolve?.({ clean: this.#client.hasEnded, reason });
    this.#resolve = undefined;
  }

  #connect(socket: Duplex): GatewayLink {
    const fromGateway = relayNotedIn(this.#journal, {
      admit: (line) => this.#opening?.takes(line) !== true && this.#journal.fromGateway(line),
      write: (bytes) => this.#client.write(bytes),
    });
    const gateway = new GatewayLink(socket, {
      onData: (chunk) => this.#client.together(() => fromGateway.push(chunk)),
      onCrowded: (isCrowded) => (isCrowded ? this.#client.hold() : this.#client.release()),
      onLost: (reason) => this.#onLost(reason),
    });
    this.#gateway = gateway;
    gateway.write(this.#introduction);
    return gateway;
  }

  #onClientEnd(): void {
    this.#fromClient.end();
    if (this.#gateway === undefined || this.#opening !== undefined) this.#abandon('the client has gone');
    else this.#gateway.end();
  }

  #onLost(reason: string): void {
    if (this.#client.hasEnded) {
      this.stop(reason);
      return;
    }
    this.#endGateway();
    this.#client.tell(this.#journal.lose());
    const { problem } = this.#journal;
    if (problem === undefined) void this.#replace(reason);
    else this.#abandon(`${reason}; another one cannot take its place: ${problem}`);
  }

  async #replace(reason: string): Promise<void> {
    this.#client.wait();
    try {
      const socket = await this.#reconnecting.next(() => this.#resolve !== undefined);
      if (this.#resolve === undefined) socket?.destroy();
      else if (socket !== undefined) this.#open(this.#connect(socket));
    } catch (error) {
      this.#abandon(`${reason}; ${(error as Error).message}`);
    }
  }

  /** Makes the client's session in another gateway. */
  #open(gateway: GatewayLink): void {
    const { opening } = this.#journal;
    if (opening === undefined) {
      this.#goOn(gateway);
      return;
    }
    this.#opening = new SessionOpening(opening, {
      onAnswer: (answer) => this.#onOpened(gateway, this.#journal.differenceIn(answer)),
      onTimeout: () => gateway.fail('the gateway does not answer'),
    });
    gateway.write(opening.text!);
  }

  #onOpened(gateway: GatewayLink, difference: string | undefined): void {
    this.#opening = undefined;
    if (difference === undefined) this.#goOn(gateway);
    else this.#abandon(`another gateway has taken the place of the one that ended, but ${difference}`);
  }

  #goOn(gateway: GatewayLink): void {
    const { toGateway, toClient } = this.#journal.replay();
    gateway.together(() => {
      for (const bytes of toGateway) gateway.write(bytes);
      this.#client.tell(toClient);
      for (const chunk of this.#client.takeWaiting()) this.#fromClient.push(chunk);
    });
  }

  /** No gateway will serve the client any more: nothing remains unanswered. */
  #abandon(reason: string): void {
    this.#endGateway();
    for (const chunk of this.#client.takeWaiting()) this.#fromClient.push(chunk);
    this.#client.tell(this.#journal.abandon());
    this.stop(reason);
  }

  #endGateway(): void {
    this.#opening?.cancel();
    this.#opening = undefined;
    this.#gateway?.close();
    this.#gateway = undefined;
  }
}

function relayNotedIn(
  journal: Journal,
  ends: { readonly admit: (line: Line) => boolean; readonly write: (bytes: Buffer) => void },
): LineRelay {
  return new LineRelay({ ...ends, onOverlong: () => journal.giveUp('a message was too long to be held') });
}
