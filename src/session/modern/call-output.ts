import type { ForwardTarget } from '../../core/providers/forwarding-caller.ts';
import type { ClientFacts } from '../../core/providers/provider.ts';
import { severityOf } from '../../era/legacy/legacy.ts';
import { forModernClient } from '../../era/modern/modern-result.ts';
import type { ByteString } from '../../wire/bytes.ts';
import { type CallText, edit } from '../../wire/edits/call-text.ts';
import type { Frame } from '../../wire/frame.ts';
import type { NotificationMessage } from '../../wire/message.ts';
import type { Reply } from '../../wire/reply.ts';
import type { Span } from '../../wire/scanning/outline.ts';
import type { Exchange } from '../exchange.ts';
import { severityOfMessage } from '../log-filter.ts';

/** One request of a modern client, on its way to an answer. */
export interface ModernRequest {
  readonly text: CallText;
  readonly client: ClientFacts;
  readonly exchange: Exchange;
}

/** The server that results name. */
export interface NamedServer {
  /** Returns its JSON; `undefined` if results name none. */
  serverInfo(): ByteString | undefined;
}

/** The most messages that are kept for a client that is away; older ones are dropped. */
const MAX_UNTOLD = 32;

/** Notifications that a modern client does not know. */
const LEGACY_NOTIFICATIONS: ReadonlySet<string> = new Set([
  'notifications/elicitation/complete',
  'notifications/tasks/status',
]);

/**
 * The way from a modern call to its client: the request that is open now. While the call is parked there is none; then the
 * newest messages, and the provider's answer, are kept until the client calls again.
 */
export class CallOutput implements ForwardTarget {
  /** The client that a provider takes the call to belong to. */
  readonly sessionId: string;
  readonly #server: NamedServer;
  #request: ModernRequest | undefined;
  #client: ClientFacts;
  /** Messages that came while no request was open. */
  #untold: (() => void)[] | undefined;
  #keptAnswer: Reply | undefined;

  constructor(request: ModernRequest, sessionId: string, server: NamedServer) {
    this.sessionId = sessionId;
    this.#request = request;
    this.#client = request.client;
    this.#server = server;
  }

  /** The client, as its newest request describes it. */
  get client(): ClientFacts {
    return this.#client;
  }

  /** A request waits for an answer; or has had the last one. */
  get isOpen(): boolean {
    return this.#request !== undefined;
  }

  /** Tells the client of progress, if its request asked for that. */
  onProgress(frame: Frame, token: Span): void {
    const request = this.#request;
    if (request === undefined) {
      this.#keep(() => this.onProgress(frame, token));
      return;
    }
    if (request.text.progressToken === undefined) return;
    const own = request.text.message.frame.raw(request.text.progressToken);
    request.exchange.sendIfRoom(frame.splice([edit(token, own)]));
  }

  /** Passes a notification on: log messages only where the request asked for them, and only such severe ones. */
  onNotification(message: NotificationMessage): void {
    if (LEGACY_NOTIFICATIONS.has(message.method)) return;
    if (this.#request === undefined) {
      this.#keep(() => this.onNotification(message));
      return;
    }
    if (message.method === 'notifications/message') {
      const wanted = severityOf(this.#client.logLevel);
      if (wanted === -1 || severityOfMessage(message) < wanted) return;
    }
    this.#request.exchange.sendIfRoom(message.frame.bytes());
  }

  /** Resolves when the client has room for another large answer; `undefined` if it has room now. */
  whenRoom(): Promise<void> | undefined {
    return this.#request?.exchange.whenRoom?.();
  }

  /** Answers the open request. */
  reply(reply: Reply, status?: number): void {
    const request = this.#request;
    request?.exchange.reply(this.#rendered(reply, request), status);
  }

  /** Answers the open request with questions: until the client calls again, none is open. */
  park(questions: Reply): void {
    const request = this.#request;
    this.#request = undefined;
    request?.exchange.reply(this.#rendered(questions, request));
  }

  /** Keeps the provider's answer, of which the newest counts, for the request with which the client calls again. */
  keepAnswer(reply: Reply): void {
    this.#keptAnswer = reply;
  }

  /** The answer that came while the call was parked. */
  get keptAnswer(): Reply | undefined {
    return this.#keptAnswer;
  }

  /** Goes on with a new request of the client, which is told first what it has missed. */
  reopen(request: ModernRequest): void {
    this.#request = request;
    this.#client = request.client;
    const untold = this.#untold ?? [];
    this.#untold = undefined;
    for (const tell of untold) tell();
  }

  /** Gives up the open request: no answer follows. */
  abandon(): void {
    this.#request?.exchange.abandon();
  }

  #keep(tell: () => void): void {
    this.#untold ??= [];
    if (this.#untold.length === MAX_UNTOLD) this.#untold.shift();
    this.#untold.push(tell);
  }

  #rendered(reply: Reply, { text: { message } }: ModernRequest) {
    return forModernClient(message.method, reply, this.#server.serverInfo()).withId(message.id);
  }
}
